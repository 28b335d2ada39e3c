import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptRuns, setHooks, type Hooks } from '../../make/builders/hooks.ts'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/tables.ts'
import { startService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown, token = service.admin.token) =>
  service.api(method, path, { token, body })
const hooks = (table: string, list: Hooks) => setHooks(service, table, list)
const countOf = async (table: string) => (await api('GET', `/api/e/${table}`)).body.meta.total as number
const historyOf = async (table: string, id: number) => (await api('GET', `/api/sys/history/${table}/${id}`)).body.data

const taskFields = [
  { name: 'title', type: 'text' },
  { name: 'ticket_id', type: 'model_list', target_table: 'tickets' },
  { name: 'done', type: 'boolean', default: false },
]

beforeAll(async () => {
  service = await startService({ log: () => {} })
  await makeTable(service, 'tickets', [
    { name: 'title', type: 'text', required: true, max_length: 50 },
    { name: 'note', type: 'textarea' },
    { name: 'priority', type: 'integer', min: 1, max: 5 },
    { name: 'code', type: 'text', unique: true },
    {
      name: 'status',
      type: 'state_model',
      states: [{ slug: 'new', is_initial: true }, { slug: 'open' }, { slug: 'closed' }],
      transitions: [
        { from: 'new', to: 'open' },
        { from: 'open', to: 'closed', roles: ['agent'] },
      ],
    },
  ])
  await makeTable(service, 'tasks', taskFields)
  await makeTable(service, 'checks', [
    { name: 'task_id', type: 'model_list', target_table: 'tasks' },
    { name: 'by', type: 'text' },
  ])
})
afterAll(() => service?.stop())

describe('before_create', () => {
  it('can set a default, which the answer, the record and its history show', async () => {
    await makeTable(service, 'notes', [
      { name: 'title', type: 'text' },
      { name: 'n', type: 'integer' },
    ])
    await hooks('notes', [['before_create', "if (!$data->title) $data->title = 'Note of ' + $user->name"]])
    const { status, body } = await api('POST', '/api/e/notes', { n: 1 })
    expect([status, body.data.data]).toEqual([201, { n: 1, title: 'Note of Grace Hopper' }])
    expect((await api('GET', `/api/e/notes/${body.data.id}`)).body.data).toEqual(body.data)
    expect((await historyOf('notes', body.data.id))[0].changes.title).toEqual({
      old: null,
      new: 'Note of Grace Hopper',
    })
    expect((await api('POST', '/api/e/notes', { title: 'Mine' })).body.data.data.title).toBe('Mine')
  })

  it('refuses with the message of its exception: 422 without errors, and nothing is stored', async () => {
    await hooks('tickets', [['before_create', "throw new Exception('No tickets on Sundays')"]])
    const before = await countOf('tickets')
    const { status, body } = await api('POST', '/api/e/tickets', { title: 'x' })
    expect([status, body]).toEqual([422, { success: false, code: 'refused_by_hook', message: 'No tickets on Sundays' }])
    expect(await countOf('tickets')).toBe(before)
  })

  it.each([
    ['$data.title.text.length', "cannot read property 'length' of undefined", 1],
    ['\n  missing($data)', 'missing is not defined', 2],
    ["$api.find('tickets')", '$api.find(table, field, value): field is missing or of the wrong kind.', 1],
    ["$api.find('tickts', 'title', 'x')", 'There is no table tickts. Did you mean tickets?', 1],
    ["$api.date.add(null, 'x', 'days')", '$api.date.add(value, amount, unit): amount must be a number, not "x"', 1],
    ['for (let i = 0; i < 60; i++) $api.count("tickets")', 'The script made more than 50 $api calls', null],
  ])('that breaks is named; administrators read where: %s', async (script, error, line) => {
    const automations = [{ kind: 'before_create', name: 'ticket number', script }]
    const { body: table } = await api('PUT', '/api/sys/entities/name/tickets', { automations })
    const failed = {
      success: false,
      code: 'hook_failed',
      message: `The hook "ticket number" (before_create) failed: ${error}`,
    }
    expect(await api('POST', '/api/e/tickets', { title: 'x' })).toMatchObject({
      status: 422,
      body: { ...failed, data: { automation_id: table.data.automations[0].id, line, error } },
    })
    const { token } = await userWith(service, ['tickets.create'])
    expect(await api('POST', '/api/e/tickets', { title: 'x' }, token)).toMatchObject({ status: 422, body: failed })
    expect((await api('POST', '/api/e/tickets', { title: 'x' }, token)).body).toEqual(failed)
  })

  it('that names a field which the table lacks is saved with a warning', async () => {
    const automations = [{ kind: 'before_create', script: "$data.titel = 'x'" }]
    const saved = await api('PUT', '/api/sys/entities/name/tickets', { automations })
    const message = '$data.titel: the table tickets has no field titel. Did you mean title?'
    expect([saved.status, saved.body.meta]).toEqual([
      200,
      { warnings: [{ path: 'automations.0.script', line: 1, column: 7, message }] },
    ])
    const check = { script: '$data.titel', model: 'tickets' }
    expect((await api('POST', '/api/sys/scripts/check', check)).body.meta).toEqual({
      warnings: [{ path: 'script', line: 1, column: 7, message }],
    })
    expect((await api('PUT', '/api/sys/entities/name/tickets', { automations: [] })).body).not.toHaveProperty('meta')
  })

  it('can name a field in its refusal', async () => {
    await hooks('tickets', [['before_create', "$api.fail('Too urgent for you', 'priority')"]])
    const { status, body } = await api('POST', '/api/e/tickets', { title: 'x' })
    expect([status, body]).toEqual([
      422,
      {
        success: false,
        code: 'refused_by_hook',
        message: 'Too urgent for you',
        errors: { priority: ['Too urgent for you'] },
      },
    ])
  })

  it('does not run when validation fails, including that of references', async () => {
    await hooks('tasks', [['before_create', "throw new Error('hook ran')"]])
    expect((await api('POST', '/api/e/tasks', { title: 7 })).body.errors).toHaveProperty('title')
    expect((await api('POST', '/api/e/tasks', { ticket_id: 99_999 })).body.errors).toEqual({
      ticket_id: ['The selected ticket_id is invalid.'],
    })
    expect((await api('POST', '/api/e/tasks', {})).body.message).toBe('hook ran')
    await hooks('tasks', [])
  })

  it.each<[string, string, string]>([
    ['a value of the wrong type', '$data.priority = "high"', 'priority'],
    ['a value out of range', '$data.priority = 9', 'priority'],
    ['a field the table does not have', '$data.colour = "red"', 'colour'],
    ['a state that is no beginning', '$data.status = "closed"', 'status'],
    ['a required field taken away', 'delete $data.title', 'title'],
  ])('has its changes validated: %s', async (_, script, field) => {
    await hooks('tickets', [['before_create', script]])
    const { status, body } = await api('POST', '/api/e/tickets', { title: 'x' })
    expect([status, body.message, Object.keys(body.errors)]).toEqual([422, 'Validation error', [field]])
  })

  it('has the references validated that it sets', async () => {
    await hooks('tasks', [['before_create', '$data.ticket_id = 424242']])
    expect((await api('POST', '/api/e/tasks', {})).body.errors).toEqual({
      ticket_id: ['The selected ticket_id is invalid.'],
    })
    await hooks('tasks', [])
  })

  it('runs in the order of position, each hook on the result of the one before, without inactive hooks', async () => {
    const automations = [
      { kind: 'before_create', script: "$data.note += 'c'", position: 3 },
      { kind: 'before_create', script: "$data.note = 'a'", position: 1 },
      { kind: 'before_create', script: "throw new Error('inactive')", position: 0, is_active: false },
      { kind: 'before_create', script: "$data.note += 'b'", position: 2 },
    ]
    await api('PUT', '/api/sys/entities/name/tickets', { name: 'tickets', automations })
    expect((await api('POST', '/api/e/tickets', { title: 'x' })).body.data.data.note).toBe('abc')
  })

  it('cannot write records, and says so', async () => {
    await hooks('tickets', [['before_create', "$api.create('tasks', {title: 'x'})"]])
    const { status, body } = await api('POST', '/api/e/tickets', { title: 'x' })
    expect([status, body.message]).toEqual([422, expect.stringContaining('before hook')])
  })

  it('can find a record of the tenant as a flat object, or false when there is none', async () => {
    await hooks('tickets', [])
    const { id } = (await api('POST', '/api/e/tickets', { title: 'Known', code: 'K-1' })).body.data
    await hooks('tickets', [
      [
        'before_create',
        "$c = $api->find('tickets', 'code', 'K-1'); $data->note = $c->id + $c->title + $c->version + $api->find('tickets', 'code', 'none')",
      ],
    ])
    expect((await api('POST', '/api/e/tickets', { title: 'x' })).body.data.data.note).toBe(`${id}Known1false`)
  })
})

describe('$api.query and $api.count', () => {
  it('take the query grammar of list-server, and ignore what the user may read', async () => {
    await makeTable(service, 'stock', [
      { name: 'name', type: 'text' },
      { name: 'pieces', type: 'integer' },
    ])
    for (const [name, pieces] of [
      ['bolt', 5],
      ['nut', 50],
      ['gear', 7],
    ])
      await api('POST', '/api/e/stock', { name, pieces })
    await makeTable(service, 'orders', [{ name: 'note', type: 'text' }])
    await hooks('orders', [
      [
        'before_create',
        `const few = $api.query('stock', {filter: {pieces: {_lt: 10}}, sort: ['-pieces'], limit: 5, search: null}).map(one => one.name)
         $data.note = few.join() + ' ' + $api.count('stock', {pieces: {_gte: 7}}) + ' ' + $api.count('stock') + ' ' + $api.get('stock', 1).name + $api.get('stock', 99)`,
      ],
    ])
    const user = await userWith(service, ['orders.create'])
    expect((await api('POST', '/api/e/orders', {}, user.token)).body.data.data.note).toBe('gear,bolt 2 3 boltfalse')
    await hooks('orders', [['before_create', "$api.query('stock', {filter: {nothing: 1}})"]])
    expect((await api('POST', '/api/e/orders', {}, user.token)).body.message).toContain('nothing')
    await hooks('orders', [['before_create', "$api.get('nowhere', 1)"]])
    expect((await api('POST', '/api/e/orders', {}, user.token)).body.message).toBe(
      'The hook "before_create" (before_create) failed: There is no table nowhere.',
    )
  })
})

describe('before_update', () => {
  it('can derive a field from the merged data and the old data', async () => {
    await hooks('tickets', [])
    const { id } = (await api('POST', '/api/e/tickets', { title: 'Lamp', priority: 2 })).body.data
    await hooks('tickets', [
      [
        'before_update',
        "if ($old.priority !== $data.priority) $data.note = $data.title + ': ' + $old.priority + ' → ' + $data.priority",
      ],
    ])
    expect((await api('PATCH', `/api/e/tickets/${id}`, { priority: 5 })).body.data.data).toMatchObject({
      priority: 5,
      note: 'Lamp: 2 → 5',
    })
    expect(Object.keys((await historyOf('tickets', id))[0].changes).toSorted()).toEqual(['note', 'priority'])
  })

  it('has its changes validated, including state transitions, but regardless of the roles of the caller', async () => {
    const user = await userWith(service, ['tickets.*'])
    await hooks('tickets', [])
    const { id } = (await api('POST', '/api/e/tickets', { title: 'x' })).body.data
    await hooks('tickets', [['before_update', "if ($data.note) $data.status = 'closed'"]])
    const refused = await api('PATCH', `/api/e/tickets/${id}`, { note: 'n' }, user.token)
    expect([refused.status, refused.body.errors.status[0]]).toEqual([
      422,
      'The status may not move from new to closed. Allowed: open.',
    ])
    await api('PATCH', `/api/e/tickets/${id}`, { status: 'open' }, user.token)
    expect((await api('PATCH', `/api/e/tickets/${id}`, { note: 'n' }, user.token)).body.data.data.status).toBe('closed')
  })

  it('our choice: clears a field by deleting it from $data, and prevents the write by reverting the update', async () => {
    await hooks('tickets', [])
    const { id, version } = (await api('POST', '/api/e/tickets', { title: 'x', note: 'n' })).body.data
    await hooks('tickets', [['before_update', 'delete $data.note']])
    expect((await api('PATCH', `/api/e/tickets/${id}`, { priority: 1 })).body.data.data.note).toBeNull()
    await hooks('tickets', [['before_update', '$data.title = $old.title']])
    expect((await api('PATCH', `/api/e/tickets/${id}`, { title: 'other' })).body.data.version).toBe(version + 1)
  })

  it('runs again on the current record after a conflict', async () => {
    await hooks('tickets', [])
    const { id } = (await api('POST', '/api/e/tickets', { title: 'x' })).body.data
    await hooks('tickets', [['before_update', "$data.note = ($old.note ?? '') + $user.id + ';'"]])
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        api('PATCH', `/api/e/tickets/${id}`, { priority: (index % 5) + 1, title: `t${index}` }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { data, version } = (await api('GET', `/api/e/tickets/${id}`)).body.data
    expect([version, data.note]).toEqual([7, `${service.admin.userId};`.repeat(6)])
    expect((await scriptRuns(service, '&model=tickets')).filter((run) => run.record_id === id).length).toBeGreaterThan(
      6,
    )
  })
})

describe('after hooks', () => {
  it('can create a task, whose own hook creates a third record, in the name of the user', async () => {
    const user = await userWith(service, ['tickets.create'])
    await hooks('tickets', [
      ['after_create', "$api.create('tasks', {title: 'Look at ' + $data.title, ticket_id: $context.id})"],
    ])
    await hooks('tasks', [
      ['after_create', "$api.create('checks', {task_id: $data.id, by: $user.email + ' ' + $context.depth})"],
    ])
    const { status, body } = await api('POST', '/api/e/tickets', { title: 'Lamp' }, user.token)
    expect(status).toBe(201)
    const [task] = (await api('GET', '/api/e/tasks')).body.data
    const [check] = (await api('GET', '/api/e/checks')).body.data
    expect(task).toMatchObject({ created_by: user.id, data: { title: 'Look at Lamp', ticket_id: body.data.id } })
    expect(check).toMatchObject({ created_by: user.id, data: { task_id: task.id, by: expect.stringMatching(/ 1$/) } })
    expect((await historyOf('tasks', task.id))[0]).toMatchObject({
      action: 'create',
      source: 'script',
      user: { id: user.id },
    })
    expect((await historyOf('tickets', body.data.id))[0].source).toBeUndefined()
  })

  it('do not undo the write when they fail, and the run log has the error with its line', async () => {
    await hooks('tickets', [['after_create', "$api.log('starting', {n: 1})\nconst x = null\nx.y"]])
    const { status, body } = await api('POST', '/api/e/tickets', { title: 'kept' })
    expect([status, (await api('GET', `/api/e/tickets/${body.data.id}`)).status]).toEqual([201, 200])
    const [run] = await scriptRuns(service, '&model=tickets&status=error')
    expect(run).toMatchObject({
      kind: 'after_create',
      record_id: body.data.id,
      status: 'error',
      error: { line: 3 },
      log: [{ level: 'info', message: 'starting {"n":1}' }],
    })
  })

  it('get the old and the new record, and the answer includes their changes', async () => {
    await hooks('tickets', [])
    const { id } = (await api('POST', '/api/e/tickets', { title: 'x', priority: 1 })).body.data
    await hooks('tickets', [
      [
        'after_update',
        "if (!$data.note) $api.update('tickets', $context.id, {note: $old.priority + '>' + $data.priority})",
      ],
    ])
    const { body, headers } = await api('PATCH', `/api/e/tickets/${id}`, { priority: 2 })
    expect([body.data.version, body.data.data.note, headers.get('etag')]).toEqual([3, '1>2', '"3"'])
  })

  it('stop at depth 5 with an error that names the cycle, and keep what was written', async () => {
    await makeTable(service, 'loops', [{ name: 'n', type: 'integer' }])
    await hooks('loops', [['after_create', "$api.create('loops', {n: $data.n + 1})"]])
    expect((await api('POST', '/api/e/loops', { n: 0 })).status).toBe(201)
    expect(await countOf('loops')).toBe(6)
    const failed = await scriptRuns(service, '&model=loops&status=error')
    expect(failed).toHaveLength(1)
    expect(failed[0]).toMatchObject({ depth: 5 })
    expect(failed[0].error.message).toContain(Array.from({ length: 7 }, () => 'loops.after_create').join(' → '))
  })
})

describe('before_delete and after_delete', () => {
  it('can refuse a delete, and get the deleted record', async () => {
    await hooks('tasks', [])
    await hooks('tickets', [
      [
        'before_delete',
        "if ($api.count('tasks', {ticket_id: $old.id, done: false}) > 0) throw new Exception('Tasks of ' + $old.title + ' are open')",
      ],
      ['after_delete', "$api.create('checks', {by: 'deleted ' + $old.title})"],
    ])
    const { id } = (await api('POST', '/api/e/tickets', { title: 'Lamp' })).body.data
    const task = (await api('POST', '/api/e/tasks', { ticket_id: id })).body.data.id
    const refused = await api('DELETE', `/api/e/tickets/${id}`)
    expect([refused.status, refused.body]).toEqual([
      422,
      { success: false, code: 'refused_by_hook', message: 'Tasks of Lamp are open' },
    ])
    expect((await api('GET', `/api/e/tickets/${id}`)).status).toBe(200)
    await api('PATCH', `/api/e/tasks/${task}`, { done: true })
    expect((await api('DELETE', `/api/e/tickets/${id}`)).status).toBe(204)
    expect((await api('GET', '/api/e/checks')).body.data[0].data.by).toBe('deleted Lamp')
    const tombstone = await service.store.get({ id: 1 }, { pk: `T#1#H#tickets#${id}`, sk: 'TOMBSTONE' })
    expect(tombstone).not.toHaveProperty('data')
    expect(tombstone).not.toHaveProperty('after_due')
  })
})

describe('$record', () => {
  it('is the record before the operation, and $context.source what led to it', async () => {
    const fields = ['before', 'after'].map((name) => ({ name, type: 'text' }))
    await makeTable(service, 'heads', [
      { name: 'title', type: 'text' },
      { name: 'before', type: 'text' },
    ])
    await makeTable(service, 'seen_heads', fields)
    const write = `$api.create('seen_heads', { after: JSON.stringify([$context.kind, $context.source, $record]) })`
    const note = `$data->before = $context.source + ' ' + $record->version + ' ' + $record->updated_by`
    await hooks('heads', [
      ['before_create', note],
      ['after_create', write],
      ['before_update', note],
      ['after_update', write],
      ['after_delete', write],
    ])
    const made = (await api('POST', '/api/e/heads', { title: 'a' })).body.data
    const { token, id: userId } = await userWith(service, ['*'])
    const changed = (await api('PATCH', `/api/e/heads/${made.id}`, { title: 'b' }, token)).body.data
    await api('DELETE', `/api/e/heads/${made.id}`)
    expect([made.data.before, changed.data.before]).toEqual(['api null null', `api 1 ${service.admin.userId}`])
    const { created_by, created_at } = made
    const nothing = ['id', 'version', 'created_by', 'updated_by', 'created_at', 'updated_at'].map((name) => [
      name,
      null,
    ])
    const head = (version: number, updated_by: number, updated_at: string) => ({
      id: made.id,
      version,
      created_by,
      updated_by,
      created_at,
      updated_at,
    })
    const seen = (await api('GET', '/api/e/seen_heads?sort=id')).body.data
    expect(seen.map(({ data }: any) => JSON.parse(data.after))).toEqual([
      ['after_create', 'api', Object.fromEntries(nothing)],
      ['after_update', 'api', head(1, created_by, made.updated_at)],
      ['after_delete', 'api', head(2, userId, changed.updated_at)],
    ])
  })

  it('in a dry run is that of the record it names', async () => {
    const { id } = (await api('POST', '/api/e/heads', { title: 'a' })).body.data
    const dry = async (kind: string) => {
      const input = { script: '$api.log($record.version, $context.source)', kind, model: 'heads', id, data: {} }
      return (await api('POST', '/api/sys/scripts/run', input)).body.data.log[0].message
    }
    expect([await dry('before_update'), await dry('before_create')]).toEqual(['1 api', 'null api'])
  })
})

describe('a hook that loops', () => {
  it('is stopped while other requests are answered', async () => {
    await makeTable(service, 'endless', [{ name: 'n', type: 'integer' }])
    await hooks('endless', [['before_create', 'while (true) {}']])
    const started = performance.now()
    let done = false
    const looping = api('POST', '/api/e/endless', { n: 1 }).finally(() => (done = true))
    let others = 0
    while (!done) {
      expect((await api('GET', '/api/e/checks?per_page=1')).status).toBe(200)
      others += 1
    }
    const { status, body } = await looping
    expect([status, body.success, body.errors]).toEqual([422, false, undefined])
    expect(performance.now() - started).toBeLessThan(4000)
    expect(others).toBeGreaterThan(20)
    expect(await scriptRuns(service, '&model=endless')).toMatchObject([{ status: 'stopped', record_id: null }])
  })
})
