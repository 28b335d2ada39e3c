import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeHookedTables } from '../../make/builders/records/hooked-tables.ts'
import { scriptRuns, setHooks, type Hooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type ApiCall, type TestService, sharedService } from '../../make/services/service.ts'

let service: TestService
const api: ApiCall = (method, path, body, token = service.admin.token) => service.api(method, path, { token, body })
const hooks = (table: string, list: Hooks) => setHooks(service, table, list)
const countOf = async (table: string) => (await api('GET', `/api/e/${table}`)).body.meta.total as number
const historyOf = async (table: string, id: number) => (await api('GET', `/api/sys/history/${table}/${id}`)).body.data

beforeAll(async () => {
  service = await sharedService()
  await makeHookedTables(service)
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
    const code = 'unknown_field'
    expect([saved.status, saved.body.warnings]).toEqual([
      200,
      [{ path: 'automations.0.script', line: 1, column: 7, code, message }],
    ])
    const check = { script: '$data.titel', model: 'tickets' }
    expect((await api('POST', '/api/sys/scripts/check', check)).body.warnings).toEqual([
      { path: 'script', line: 1, column: 7, code, message },
    ])
    expect((await api('PUT', '/api/sys/entities/name/tickets', { automations: [] })).body).not.toHaveProperty(
      'warnings',
    )
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
        field_errors: { priority: [{ code: 'custom', params: {}, message: 'Too urgent for you' }] },
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
    const tombstone = await service.store.get(service.tenant, {
      pk: `T#${service.tenant.id}#H#tickets#${id}`,
      sk: 'TOMBSTONE',
    })
    expect(tombstone).not.toHaveProperty('data')
    expect(tombstone).not.toHaveProperty('after_due')
  })
})
