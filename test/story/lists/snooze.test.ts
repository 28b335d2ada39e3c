import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userWith } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { type ApiAnswer, sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
let token: string
let view: number
const later = '2099-01-01T00:00:00.000Z'
const api = (method: string, path: string, body?: unknown, as = token): Promise<ApiAnswer> =>
  service.api(method, path, { token: as, body })
const snooze = (id: number, until: string | null = later, as = token) =>
  api('PUT', `/api/e/tickets/${id}/snooze`, { until }, as)
const idsOf = async (query: string, as = token): Promise<number[]> => {
  const { body } = await api('GET', `/api/e/tickets?sort=id&${query}`, undefined, as)
  expect(body.meta.total).toBe(body.data.length)
  return body.data.map(({ id }: { id: number }) => id)
}
const counted = async (): Promise<number> =>
  (await api('GET', '/api/sys/views/counts?model=tickets')).body.data[0].count

beforeAll(async () => {
  service = await sharedService()
  token = service.admin.token
  await makeTable(service, 'tickets', [
    { name: 'title', type: 'text' },
    { name: 'level', type: 'integer' },
  ])
  const rows = [1, 2, 3, 4, 5].map((level) => ({ title: `Ticket ${level}`, level }))
  await api('POST', '/api/e/tickets/import', { rows })
  const input = { model: 'tickets', name: 'Small', scope: 'shared', filter: { level: { _lt: 5 } } }
  view = (await api('POST', '/api/sys/views', input)).body.data.id
  await service.cloud.idle()
})
afterAll(() => service?.stop())

describe('a snoozed record', () => {
  it('leaves the views of who snoozed it, with their counts and exports, and nobody else’s', async () => {
    const other = await userWith(service, ['tickets.read'])
    expect(await snooze(2)).toMatchObject({
      status: 200,
      body: { data: { id: 2, model: 'tickets', snoozed_until: later } },
    })
    expect(await idsOf(`view=${view}`)).toEqual([1, 3, 4])
    expect(await idsOf(`view=${view}`, other.token)).toEqual([1, 2, 3, 4])
    expect(await idsOf('')).toEqual([1, 2, 3, 4, 5])
    expect(await counted()).toBe(3)
    const grid = { view, startRow: 0, endRow: 10, filterModel: {} }
    expect((await api('POST', '/api/e/tickets/list-server', grid)).body.rowCount).toBe(3)
    const file = await api('GET', `/api/e/tickets/export?format=json&view=${view}`)
    expect(JSON.stringify(file.body)).not.toContain('Ticket 2')
    const bulk = await api('POST', '/api/e/tickets/bulk', { view, set: { title: 'x' }, dry_run: true })
    expect(bulk.body.data.matched).toBe(3)
    expect((await api('GET', '/api/e/tickets/2')).body.meta).toEqual({ snoozed_until: later })
    expect((await api('GET', '/api/e/tickets/2', undefined, other.token)).body.meta).toBeUndefined()
    expect((await api('GET', '/api/sys/snoozed')).body).toMatchObject({
      data: [{ id: 2, model: 'tickets', snoozed_until: later }],
      meta: { total: 1 },
    })
    expect((await api('GET', '/api/sys/snoozed', undefined, other.token)).body.data).toEqual([])
  })

  it('returns when it is changed, and when the snooze is ended', async () => {
    await api('PATCH', '/api/e/tickets/2', { title: 'Ticket two' })
    await service.cloud.idle()
    expect(await idsOf(`view=${view}`)).toEqual([1, 2, 3, 4])
    expect((await api('GET', '/api/e/tickets/2')).body.meta).toBeUndefined()
    await snooze(1)
    await snooze(3)
    const first = await api('GET', `/api/e/tickets?sort=id&view=${view}&per_page=1`)
    expect(first.body.data).toMatchObject([{ id: 2 }])
    expect(await snooze(3, null)).toMatchObject({ status: 200, body: { data: { snoozed_until: null } } })
    // A cursor stays good.
    const next = await api(
      'GET',
      `/api/e/tickets?sort=id&view=${view}&per_page=1&cursor=${first.body.meta.next_cursor}`,
    )
    expect(next.body.data).toMatchObject([{ id: 3 }])
    expect((await api('DELETE', '/api/e/tickets/1/snooze')).status).toBe(204)
    expect(await counted()).toBe(4)
    expect((await api('GET', '/api/sys/snoozed')).body.data).toEqual([])
  })

  it('returns when its time has come', async () => {
    await snooze(4)
    expect(await idsOf(`view=${view}`)).toEqual([1, 2, 3])
    await snooze(4, new Date(Date.now() + 1500).toISOString())
    await expect.poll(() => idsOf(`view=${view}`)).toEqual([1, 2, 3, 4])
  })

  it('is one that its user may read, and its time is to come', async () => {
    expect((await snooze(1, '2020-01-01T00:00:00Z')).body.errors).toEqual({
      until: ['The until must be in the future.'],
    })
    expect((await snooze(99)).status).toBe(404)
    const limited = await userWith(
      service,
      ['tickets.read'],
      [{ table: 'tickets', action: 'read', filter: { level: { _lt: 2 } } }],
    )
    expect((await snooze(2, later, limited.token)).status).toBe(404)
    expect((await snooze(1, later, (await userWith(service, [])).token)).status).toBe(403)
  })
})
