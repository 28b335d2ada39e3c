import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTable } from '../../make/builders/records/tables.ts'
import { sharedService, type TestService } from '../../make/services/service.ts'

let service: TestService
const moments = [
  // Sunday and Monday of Vienna, whose clocks change in the night to the 25th of October.
  ['2026-10-24T21:59:59Z', '10.50', 'mail'],
  ['2026-10-24T22:00:00Z', '0.25', 'mail'],
  ['2026-10-25T00:30:00Z', '1.00', 'phone'],
  ['2026-10-25T01:30:00Z', '2.00', 'phone'],
  ['2026-10-25T22:59:59Z', '4.00', 'mail'],
  ['2026-10-25T23:00:00Z', '8.00', 'chat'],
  ['2026-12-31T23:30:00Z', '16.00', 'mail'],
] as const

beforeAll(async () => {
  service = await sharedService()
  const { token } = service.admin
  await service.api('PUT', '/api/sys/settings', { token, body: { TIMEZONE: 'Europe/Vienna' } })
  await makeTable(service, 'calls', [
    { name: 'at', type: 'datetime' },
    { name: 'day', type: 'date' },
    { name: 'cost', type: 'decimal', scale: 2 },
    { name: 'minutes', type: 'integer' },
    { name: 'source', type: 'text' },
  ])
  const rows = moments.map(([at, cost, source], index) => ({
    at,
    day: at.slice(0, 10),
    cost,
    source,
    minutes: index + 1,
  }))
  await service.api('POST', '/api/e/calls/import', { token, body: { rows: [...rows, { source: 'none' }] } })
  await service.cloud.idle()
})
afterAll(() => service?.stop())

const ask = (body: object) => service.api('POST', '/api/e/calls/list-server', { token: service.admin.token, body })
async function groups(body: object): Promise<readonly object[]> {
  const answer = await ask(body)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}
const counted = async (bucket: string) =>
  (await groups({ group_by: [bucket] })).map((row: any) => [row.group[bucket], row.count])

describe('groups of moments', () => {
  it('begin with hours, days, weeks, months, quarters and years of the time zone of the company', async () => {
    expect(await counted('at:hour')).toEqual([
      ['2026-10-24T21:00:00.000Z', 1],
      ['2026-10-24T22:00:00.000Z', 1],
      ['2026-10-25T00:00:00.000Z', 1],
      ['2026-10-25T01:00:00.000Z', 1],
      ['2026-10-25T22:00:00.000Z', 1],
      ['2026-10-25T23:00:00.000Z', 1],
      ['2026-12-31T23:00:00.000Z', 1],
      [null, 1],
    ])
    expect(await counted('at:day')).toEqual([
      ['2026-10-24', 1],
      ['2026-10-25', 4],
      ['2026-10-26', 1],
      ['2027-01-01', 1],
      [null, 1],
    ])
    expect(await counted('at:week')).toEqual([
      ['2026-10-19', 5],
      ['2026-10-26', 1],
      ['2026-12-28', 1],
      [null, 1],
    ])
    expect(await counted('at:month')).toEqual([
      ['2026-10-01', 6],
      ['2027-01-01', 1],
      [null, 1],
    ])
    expect(await counted('at:quarter')).toEqual([
      ['2026-10-01', 6],
      ['2027-01-01', 1],
      [null, 1],
    ])
    expect(await counted('day:year')).toEqual([
      ['2026-01-01', 7],
      [null, 1],
    ])
    expect(await groups({ group_by: ['created_at:year'] })).toMatchObject([{ count: 8 }])
  })

  it('of when records were made, which are Mondays of that zone, also in a view', async () => {
    const { token } = service.admin
    await makeTable(service, 'visits', [{ name: 'title', type: 'text' }])
    // Sunday and Monday of Vienna, which is two hours ahead of UTC in June.
    const rows = ['2026-06-07T21:59:59Z', '2026-06-07T22:00:00Z', '2026-06-14T21:59:59Z', '2026-06-14T22:00:00Z'].map(
      (created_at) => ({ title: 'visit', created_at }),
    )
    await service.api('POST', '/api/e/visits/import', { token, body: { legacy: true, rows } })
    await service.cloud.idle()
    const list = (body: object) => service.api('POST', '/api/e/visits/list-server', { token, body })
    const weeks = [
      { group: { 'created_at:week': '2026-06-01' }, count: 1 },
      { group: { 'created_at:week': '2026-06-08' }, count: 2 },
      { group: { 'created_at:week': '2026-06-15' }, count: 1 },
    ]
    expect((await list({ group_by: ['created_at:week'] })).body.data).toEqual(weeks)
    const view = { model: 'visits', name: 'Weekly', group_by: ['created_at:week'] }
    const { id } = (await service.api('POST', '/api/sys/views', { token, body: view })).body.data
    expect((await list({ view: id })).body.data).toEqual(weeks)
  })

  it('are sorted, measured and combined with other groups', async () => {
    expect(
      await groups({
        group_by: ['at:month', 'source'],
        aggregate: { count: '*', sum: ['cost'] },
        sort: ['-at:month', 'source'],
        filter: { at: { _nnull: true } },
      }),
    ).toEqual([
      { group: { 'at:month': '2027-01-01', source: 'mail' }, count: 1, sum: { cost: '16.00' } },
      { group: { 'at:month': '2026-10-01', source: 'chat' }, count: 1, sum: { cost: '8.00' } },
      { group: { 'at:month': '2026-10-01', source: 'mail' }, count: 3, sum: { cost: '14.75' } },
      { group: { 'at:month': '2026-10-01', source: 'phone' }, count: 2, sum: { cost: '3.00' } },
    ])
  })

  it('name what was meant', async () => {
    const wrong = { group_by: ['at:weeks', 'source:day', 'day:hour', 'att:day'] }
    expect((await ask(wrong)).body.errors).toEqual({
      'group_by.0': ['There is no weeks to group by. Did you mean week?'],
      'group_by.1': [
        'The field source holds no dates, which alone are grouped by hour, day, week, month, quarter, year.',
      ],
      'group_by.2': ['The field day holds days, which have no hours.'],
      'group_by.3': [expect.stringContaining('There is no field att in calls.')],
    })
  })
})

describe('groups', () => {
  it('are those that pass `having`', async () => {
    const body = { group_by: ['source'], aggregate: { count: '*', sum: ['cost'], avg: ['minutes'], max: ['at'] } }
    const names = async (having: object) => (await groups({ ...body, having })).map((row: any) => row.group.source)
    expect(await names({ count: { _gte: 2 } })).toEqual(['mail', 'phone'])
    expect(await names({ 'sum.cost': { _gt: '8' } })).toEqual(['mail'])
    expect(await names({ 'sum.cost': '8.0' })).toEqual(['chat'])
    expect(await names({ _or: [{ 'avg.minutes': { _lt: 3.6 } }, { 'max.at': { _null: true } }] })).toEqual([
      'none',
      'phone',
    ])
    const page = await ask({ ...body, having: { count: 1 }, per_page: 1 })
    expect(page.body.meta.total).toBe(2)
    expect((await ask({ ...body, having: { 'sum.costs': 1, counts: 2 } })).body.errors).toEqual({
      'having.sum.costs': ['The having sum.costs is no measure of this query. Did you mean sum.cost?'],
      'having.counts': ['The having counts is no measure of this query. Did you mean count?'],
    })
    expect((await ask({ having: { count: 1 }, top: 2 })).body.errors).toEqual({
      having: ['The having is about groups: say group_by.'],
      top: ['The top is about groups: say group_by.'],
    })
  })

  it('beyond the first are one, exactly', async () => {
    const aggregate = {
      count: '*',
      sum: ['cost', 'minutes'],
      avg: ['cost', 'minutes'],
      min: ['at', 'cost'],
      max: ['minutes', 'cost'],
      first: ['source'],
      last: ['source'],
    }
    const answer = await ask({ group_by: ['source'], aggregate, sort: ['-count', 'source'], top: 1 })
    expect(answer.body.meta.total).toBe(2)
    const [first, others] = answer.body.data
    expect([first.group, first.count]).toEqual([{ source: 'mail' }, 4])
    const [expected] = await groups({ aggregate, filter: { source: { _neq: 'mail' } } })
    expect(others).toEqual({ ...expected, group: {}, others: 3 })
    expect(await groups({ group_by: ['source'], top: 9 })).toHaveLength(4)
    const rest = await groups({
      group_by: ['source'],
      sort: ['-count', 'source'],
      having: { count: { _lte: 2 } },
      top: 1,
    })
    expect(rest).toEqual([
      { group: { source: 'phone' }, count: 2 },
      { group: {}, others: 2, count: 2 },
    ])
  })
})
