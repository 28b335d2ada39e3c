import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeHookedTables } from '../../make/builders/records/hooked-tables.ts'
import { scriptRuns, setHooks, type Hooks } from '../../make/builders/records/hooks.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type ApiCall, sharedService, type TestService } from '../../make/services/service.ts'

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

describe('$record', () => {
  it('is the record before the operation, or as it was stored, and $context.source what led to it', async () => {
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
      ['after_create', 'api', head(1, created_by, made.updated_at)],
      ['after_update', 'api', head(2, userId, changed.updated_at)],
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
    // One second of processor time, however many others the machine works for.
    expect(performance.now() - started).toBeLessThan(90_000)
    expect(others).toBeGreaterThan(20)
    expect(await scriptRuns(service, '&model=endless')).toMatchObject([{ status: 'stopped', record_id: null }])
  })
})
