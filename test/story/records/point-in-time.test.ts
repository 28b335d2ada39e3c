import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeRequests, requestFields } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const api = (method: string, path: string, body?: unknown) =>
  service.api(method, path, { token: service.admin.token, body })
const create = async (body: object, model = 'requests') => (await api('POST', `/api/e/${model}`, body)).body.data
const change = async (id: number, body: object) => (await api('PATCH', `/api/e/requests/${id}`, body)).body.data
const at = (id: number, moment: string) => api('GET', `/api/e/requests/${id}?as_of=${moment}`)
const restore = (id: number, as_of: string) => api('POST', `/api/e/requests/${id}/restore`, { as_of })
const historyOf = async (id: number) => (await api('GET', `/api/sys/history/requests/${id}`)).body.data
/** Timestamps have a resolution of one millisecond. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 3))

beforeAll(async () => {
  service = await sharedService()
  await makeRequests(service)
})
afterAll(() => service?.stop())

describe('a record as of a point in time', () => {
  it('is what every answer said at that time', async () => {
    const states = [await create({ title: 'n0' })]
    const { id } = states[0]
    for (const body of [{ priority: 5 }, { note: 'x' }, { note: null, title: 'n1' }, { status: 'open' }]) {
      await tick()
      states.push(await change(id, body))
    }
    for (const state of states) {
      const { status, body, headers } = await at(id, state.updated_at)
      expect([status, headers.get('etag')]).toEqual([200, `"${state.version}"`])
      const { note, ...data } = state.data
      expect(body.data).toEqual({ ...state, data: note === null || note === undefined ? data : state.data })
    }
  })

  it('does not exist before its create and after its delete', async () => {
    const made = await create({ title: 'brief' })
    await tick()
    await api('DELETE', `/api/e/requests/${made.id}`)
    const [{ created_at }] = await historyOf(made.id)
    expect((await at(made.id, '2000-01-01')).status).toBe(404)
    expect((await at(made.id, made.created_at)).body.data).toEqual(made)
    for (const offset of ['+00:00', '%2B00:00'])
      expect((await at(made.id, made.created_at.replace('Z', offset))).body.data).toEqual(made)
    expect((await at(made.id, created_at)).status).toBe(404)
    expect((await at(made.id, 'yesterday')).body.errors).toEqual({ as_of: ['The as_of is not a valid date.'] })
    expect((await at(999_999, made.created_at)).status).toBe(404)
  })
})

describe('restoring a record', () => {
  it('writes the earlier state as an update with a history entry, whatever the transitions allow', async () => {
    const made = await create({ title: 'first', note: 'old' })
    await tick()
    await change(made.id, { status: 'open', title: 'second', note: null })
    await change(made.id, { status: 'closed', source: 'mail' })
    const { status, body } = await restore(made.id, made.created_at)
    expect([status, body.data.version, body.meta]).toEqual([200, 4, { missing_files: [] }])
    expect(body.data.data).toEqual({ ...made.data, source: null })
    const [entry] = await historyOf(made.id)
    expect(entry).toMatchObject({
      action: 'update',
      source: 'restore',
      changes: { status: { old: 'closed', new: 'new' }, source: { old: 'mail', new: null } },
    })
    expect((await restore(made.id, body.data.updated_at)).body.data.version).toBe(4)
  })

  it('creates a deleted record again under its old id, once', async () => {
    const made = await create({ title: 'gone', code: 'R-1' })
    const { total } = (await api('GET', '/api/e/requests')).body.meta
    await tick()
    await api('DELETE', `/api/e/requests/${made.id}`)
    const answers = await Promise.all([1, 2, 3].map(() => restore(made.id, made.created_at)))
    expect(answers.map(({ status, body }) => [status, body.data.version])).toEqual([
      [200, 3],
      [200, 3],
      [200, 3],
    ])
    expect((await api('GET', `/api/e/requests/${made.id}`)).body.data).toMatchObject({
      id: made.id,
      version: 3,
      created_at: made.created_at,
      data: made.data,
    })
    expect((await api('GET', '/api/e/requests')).body.meta.total).toBe(total)
    expect((await historyOf(made.id)).map(({ action }: { action: string }) => action)).toEqual([
      'create',
      'delete',
      'create',
    ])
    expect((await api('POST', '/api/e/requests', { title: 'x', code: 'R-1' })).status).toBe(422)
    await api('DELETE', `/api/e/requests/${made.id}`)
    expect(
      (await historyOf(made.id)).map(({ id, action }: { id: number; action: string }) => `${id} ${action}`),
    ).toEqual(['4 delete', '3 create', '2 delete', '1 create'])
  })

  it('is refused when a unique value is taken or a reference no longer exists', async () => {
    const client = await create({ name: 'Ann' }, 'clients')
    const made = await create({ title: 'x', code: 'U-1', client_id: client.id })
    await tick()
    await change(made.id, { code: 'U-2', client_id: null })
    await create({ title: 'y', code: 'U-1' })
    expect((await restore(made.id, made.created_at)).body.errors).toEqual({
      code: ['The code has already been taken.'],
    })
    await api('DELETE', `/api/e/clients/${client.id}`)
    expect((await restore(made.id, made.created_at)).body.errors).toEqual({
      code: ['The code has already been taken.'],
      client_id: ['The selected client_id is invalid.'],
    })
    expect((await api('GET', `/api/e/requests/${made.id}`)).body.data.version).toBe(2)
  })

  it('leaves out fields that the table no longer has', async () => {
    const made = await create({ title: 'x', note: 'retired soon' })
    await tick()
    await change(made.id, { title: 'y', note: 'other' })
    await api('PUT', '/api/sys/entities/name/requests', {
      name: 'requests',
      table_fields: requestFields.filter(({ name }) => name !== 'note'),
    })
    expect((await restore(made.id, made.created_at)).body.data.data).toEqual({ title: 'x', priority: 3, status: 'new' })
    await api('PUT', '/api/sys/entities/name/requests', { name: 'requests', table_fields: requestFields })
    expect((await api('GET', `/api/e/requests/${made.id}`)).body.data.data.note).toBe('other')
  })
})
