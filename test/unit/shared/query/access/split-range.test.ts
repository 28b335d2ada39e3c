import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseQuery } from '../../../../../shared/query/grammar/parse-query.ts'
import { defaultLimits } from '../../../../../shared/query/limits.ts'
import { readPage } from '../../../../../shared/query/plan/read-page.ts'
import type { KeyRange, Store } from '../../../../../shared/store/store.ts'
import {
  clientsTable,
  makeRecords,
  seeded,
  tenant,
  thingsTable,
  type MadeRecords,
} from '../../../../make/builders/query-records.ts'
import { expectedIds } from '../../../../make/oracles/query-oracle.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/single-table.ts'

let single: SingleTable
let made: MadeRecords
beforeAll(async () => {
  single = await openSingleTable()
  made = await makeRecords(single.store, 400, seeded(5))
})
afterAll(() => single?.close())

/** A call answers few keys, as if there were a hundred thousand records. */
const keysOfACall = 30
const few = ({ limit, ...range }: KeyRange): KeyRange => ({
  ...range,
  limit: Math.min(keysOfACall, limit ?? keysOfACall),
})
const fieldNames = { table: thingsTable, targets: new Map([['clients', clientsTable]]), mayRead: () => true }
const variables = { nowMs: 0, timeZone: 'UTC', userId: 1, orgUnitIds: [] }

type Query = Parameters<typeof expectedIds>[1]

async function read(raw: Query, splitIds: number) {
  const store: Store = {
    ...single.store,
    query: (scope, range) => single.store.query(scope, few(range)),
    countPage: (scope, range) => single.store.countPage(scope, few(range)),
  }
  const limits = {
    ...defaultLimits,
    probed: 10,
    readWhole: 20,
    maxScanned: 30,
    splitFrom: 20,
    splitIds,
    smallTable: 5,
  }
  const page = await readPage({ store, limits }, tenant, thingsTable, parseQuery(raw, fieldNames, variables), {
    offset: 0,
    limit: 5,
  })
  return {
    ids: page.rows.map(({ id }) => id),
    total: page.total,
    isTotalExact: page.isTotalExact,
    roundTrips: Number(page.explain()['round_trips']),
  }
}

it.each<[string, Query, number]>([
  [
    'a filter of two ranges, sorted',
    { filter: { priority: { _gte: -3 }, title: { _gte: 'a' } }, sort: ['-priority'] },
    6,
  ],
  [
    'several values and a range, sorted',
    { filter: { source: { _neq: 'mail' }, priority: { _gte: -3 } }, sort: ['-priority'] },
    6,
  ],
  ['one range', { filter: { priority: { _gte: -4 } }, sort: ['-priority'] }, 5],
  ['one range, sorted by something else', { filter: { priority: { _gte: -4 } }, sort: ['title'] }, 8],
  [
    'many values, each a range of its own, and a range',
    { filter: { priority: { _in: [-5, -1, 0, 1, 2, 3] }, title: { _gte: 'a' } }, sort: ['title'] },
    7,
  ],
])('long key ranges are split and read in parallel: %s', async (_, query, roundTrips) => {
  const expected = expectedIds(made.things, query, made)
  const answer = { ids: expected.slice(0, 5), total: expected.length, isTotalExact: true }
  expect(await read(query, 40)).toEqual({ ...answer, roundTrips })
  const oneByOne = await read(query, 1_000_000)
  expect(oneByOne).toMatchObject(answer)
  expect(oneByOne.roundTrips).toBeGreaterThan(1.6 * roundTrips)
})
