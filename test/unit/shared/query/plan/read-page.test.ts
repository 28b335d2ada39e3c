import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Invalid } from '../../../../../shared/kernel/faults.ts'
import { unrestricted } from '../../../../../shared/kernel/principal.ts'
import { parseQuery } from '../../../../../shared/query/grammar/parse-query.ts'
import { searchTerms } from '../../../../../shared/query/grammar/search-terms.ts'
import { defaultLimits } from '../../../../../shared/query/limits.ts'
import { aggregate } from '../../../../../shared/query/plan/aggregate.ts'
import type { QueryDependencies } from '../../../../../shared/query/plan/plan-context.ts'
import { readPage, type Paging, type ReadOptions } from '../../../../../shared/query/plan/read-page.ts'
import type { RawQuery } from '../../../../../shared/query/schema.ts'
import { createQueries } from '../../../../../shared/query/service.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import {
  clientsTable,
  makeRecords,
  seeded,
  tenant,
  thingsTable,
  type MadeRecords,
} from '../../../../make/builders/query-records.ts'
import { randomQuery } from '../../../../make/loads/random-query.ts'
import { expectedIds } from '../../../../make/oracles/query-oracle.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/single-table.ts'

let single: SingleTable
let made: MadeRecords
beforeAll(async () => {
  single = await openSingleTable()
  made = await makeRecords(single.store, 60, seeded(3))
})
afterAll(() => single?.close())

const fieldNames = { table: thingsTable, targets: new Map([['clients', clientsTable]]), mayRead: () => true }
const variables = { nowMs: 0, timeZone: 'UTC', userId: 1, orgUnitIds: [] }
const read = (
  raw: RawQuery,
  more: Partial<QueryDependencies> = {},
  paging: Paging = { offset: 0, limit: 10 },
  options?: ReadOptions,
) =>
  readPage(
    { store: single.store, ...more },
    tenant,
    thingsTable,
    parseQuery(raw, fieldNames, variables),
    paging,
    options,
  )
const idsOf = ({ rows }: { rows: readonly { id: number }[] }) => rows.map(({ id }) => id)

async function refusal(raw: RawQuery, paging?: Paging): Promise<unknown> {
  try {
    await read(raw, { limits: { ...defaultLimits, maxRead: 20 } }, paging)
  } catch (error) {
    return (error as Invalid).errors
  }
  throw new Error('nothing was refused')
}

describe('a query without a suitable index', () => {
  it.each<[string, RawQuery, object]>([
    [
      'a filter',
      { filter: { bare: 1 } },
      {
        'filter.bare': [
          'More than 20 records would have to be read. Index the field bare, or filter by an indexed field as well.',
        ],
      },
    ],
    [
      'a filter that an index cannot decide',
      { filter: { title: { _icontains: 'a' } } },
      { 'filter.title': ['More than 20 records would have to be read. Filter by an indexed field as well.'] },
    ],
    [
      'a standard field',
      { filter: { version: { _gt: 0 } } },
      { 'filter.version': ['More than 20 records would have to be read. Filter by an indexed field as well.'] },
    ],
    [
      'a step into a reference',
      { filter: { 'client_id.score': { _gt: 1 } } },
      { 'filter.client_id.score': ['More than 20 records would have to be read. Filter by an indexed field as well.'] },
    ],
    [
      'a sort',
      { sort: ['bare'] },
      { sort: ['More than 20 records would have to be read. Index the field bare, or filter the list.'] },
    ],
    [
      'a sort by a reference',
      { sort: ['client_id.name'] },
      { sort: ['More than 20 records would have to be read. Sort by an indexed field, or filter the list.'] },
    ],
    [
      'a search',
      { search: 'a' },
      { search: ['More than 20 records would have to be read. Filter the list by an indexed field.'] },
    ],
  ])('is refused for %s over too many records, and says what to index', async (_, raw, errors) =>
    expect(await refusal(raw)).toEqual(errors),
  )

  it('is refused for a page so deep among deleted records that too many would be counted, and only for that', async () => {
    const live = made.things.length
    const middle = Math.floor(live / 2)
    const at = (offset: number, sort: string) =>
      read(
        { sort: [sort] },
        { limits: { ...defaultLimits, maxRead: 20, shortSkip: 3 } },
        { offset, limit: 5 },
        { sequence: { last: live + 40, live } },
      )
    await expect(at(middle, '-id')).rejects.toMatchObject({
      errors: {
        page: ['More than 20 records would have to be read to get there. Use a cursor, or sort by created_at.'],
      },
    })
    for (const [offset, sort] of [
      [20, '-id'],
      [live - 20, 'id'],
      [middle, '-created_at'],
    ] as const) {
      expect(idsOf(await at(offset, sort))).toEqual(
        expectedIds(made.things, { filter: {}, sort: [sort] }, made).slice(offset, offset + 5),
      )
    }
  })

  it('is answered when another index leaves few records', async () => {
    const raw = { filter: { priority: -5, note: { _nempty: true } }, sort: ['note'] }
    expect(idsOf(await read(raw, { limits: { ...defaultLimits, maxRead: 20 } }))).toEqual(
      expectedIds(made.things, raw, made).slice(0, 10),
    )
  })
})

describe('a total', () => {
  it('is marked as inexact beyond the limit of counting', async () => {
    const raw = { filter: { priority: { _nnull: true } } }
    const page = await read(raw, { limits: { ...defaultLimits, maxCounted: 10 } })
    expect([page.isTotalExact, page.total > 10]).toEqual([false, true])
  })

  it('is the number of records read so far when every part of a filter matches too many', async () => {
    const raw = { filter: { priority: { _nnull: true }, weight: { _nnull: true } } }
    const page = await read(raw, { limits: { ...defaultLimits, probed: 2, maxKeys: 5 } }, { offset: 0, limit: 4 })
    expect([idsOf(page), page.isTotalExact, page.total]).toEqual([
      expectedIds(made.things, raw, made).slice(0, 4),
      false,
      4,
    ])
  })

  it('comes from a counter if there is one, without counting keys', async () => {
    const asked: unknown[] = []
    const counters = {
      count: async (_: unknown, __: unknown, field: string, value: unknown) => (asked.push([field, value]), 77),
    }
    const limits = { ...defaultLimits, smallTable: 5 }
    const page = await read(
      { filter: { source: 'mail' } },
      { counters, limits },
      { offset: 0, limit: 2 },
      { sequence: { last: 60, live: 60 } },
    )
    expect([page.total, asked, page.explain()]).toEqual([
      77,
      [['source', 'mail']],
      { plan: 'keys of source', slots: ['source'], keys_read: 3, records_read: 2, calls: 2, round_trips: 2 },
    ])
    await read({ filter: { source: null } }, { counters, limits })
    await read({ filter: { source: 'mail', priority: 1 } }, { counters, limits })
    expect(asked).toEqual([
      ['source', 'mail'],
      ['source', null],
    ])
  })
})

describe('a search index', () => {
  const found = [
    { id: 3, score: 5 },
    { id: 9, score: 8 },
    { id: 4, score: 5 },
    { id: 7, score: 9 },
  ]
  const words: unknown[] = []
  const searchIndex = { find: async (_: unknown, __: unknown, asked: readonly string[]) => (words.push(asked), found) }

  it('gives candidates, whose records are checked again', async () => {
    const raw = { search: 'Hello' }
    const expected = made.things.filter(({ data }) => /hello/i.test(`${data.title} ${data.note}`)).map(({ id }) => id)
    expect(new Set(idsOf(await read(raw, {}, { offset: 0, limit: 100 })))).toEqual(new Set(expected))
    const page = await read(raw, { searchIndex })
    expect(idsOf(page).every((id) => expected.includes(id) && found.some((one) => one.id === id))).toBe(true)
    expect(words).toEqual([['hello']])
  })

  it('finds nothing for a search without words', async () =>
    expect(await read({ search: '...' }, { searchIndex })).toMatchObject({ rows: [], total: 0 }))

  it('ranks the title first', () => {
    const terms = searchTerms(thingsTable, 'printer jam')
    const score = (data: object) => terms.rank.readValue({ id: 1, item: {}, data: data as never })
    expect(score({ title: 'Printer jam' })).toBeGreaterThan(score({ title: 'Printer', note: 'jammed' }) as number)
    expect(score({ title: 'Printer', note: 'jammed' })).toBeGreaterThan(
      score({ note: 'the PRINTER has a jam' }) as number,
    )
    expect(score({ title: 'jam' })).toBe(0)
  })
})

it('restrictions are added to every query of the caller', async () => {
  const { filter } = parseQuery({ filter: { source: 'mail' } }, fieldNames, variables)
  const restricted = parseQuery(
    { filter: { _or: [{ priority: { _gte: 0 } }, { priority: null }] } },
    fieldNames,
    variables,
    { own: filter, key: 'mail' },
  )
  const page = await readPage({ store: single.store }, tenant, thingsTable, restricted, { offset: 0, limit: 100 })
  expect(idsOf(page)).toEqual(
    expectedIds(
      made.things,
      { filter: { source: 'mail', _or: [{ priority: { _gte: 0 } }, { priority: null }] } },
      made,
    ),
  )
})

it('eachRow yields a whole list in order, however much has to be read', async () => {
  const queries = createQueries({
    store: single.store,
    clock: frozenClock(),
    tables: { find: async () => clientsTable } as never,
    limits: { ...defaultLimits, maxRead: 10, probed: 5 },
  })
  const viewer = { ...unrestricted, tenant, userId: 1 }
  const random = seeded(11)
  for (let round = 0; round < 60; round += 1) {
    const { filter } = randomQuery(random)
    for (const sort of [[], ['-priority'], ['title', '-weight']]) {
      const ids: number[] = []
      for await (const { id } of queries.eachRow(
        tenant,
        thingsTable,
        await queries.parse(viewer, thingsTable, { filter, sort }),
      ))
        ids.push(id)
      expect(ids, JSON.stringify({ filter, sort })).toEqual(expectedIds(made.things, { filter, sort }, made))
    }
  }
})

describe('groups', () => {
  const groups = (raw: RawQuery, more: Partial<QueryDependencies> = {}) =>
    aggregate({ store: single.store, ...more }, tenant, thingsTable, parseQuery(raw, fieldNames, variables) as never)
  const counted = (field: string, filter = {}) => {
    const counts = new Map<unknown, number>()
    for (const id of expectedIds(made.things, { filter, sort: [field] }, made)) {
      const value = made.things.find((thing) => thing.id === id)?.data[field] ?? null
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return [...counts].map(([value, count]) => ({ group: { [field]: value }, count }))
  }

  it.each(['priority', 'weight', 'active', 'due', 'source'])('of %s are counted from its keys alone', async (field) => {
    const limits = { ...defaultLimits, readWhole: 5, maxRead: 1 }
    expect(await groups({ group_by: [field] }, { limits })).toEqual(counted(field))
  })

  it('are counted from the records when a filter needs them', async () => {
    expect(await groups({ group_by: ['source'], filter: { priority: { _gte: 1 } } })).toEqual(
      counted('source', { priority: { _gte: 1 } }),
    )
    expect(await groups({ group_by: ['source'], filter: { _or: [] } })).toEqual([])
  })

  it('come from counters of the whole table', async () => {
    const counters = {
      count: async () => 1,
      all: async () => [
        { value: null, count: 2 },
        { value: 'mail', count: 3 },
        { value: 'phone', count: 0 },
      ],
    }
    expect(await groups({ group_by: ['source'] }, { counters, limits: { ...defaultLimits, smallTable: 5 } })).toEqual([
      { group: { source: 'mail' }, count: 3 },
      { group: { source: null }, count: 2 },
    ])
  })

  it('and totals of a small table are counted from its keys, because counters may be behind', async () => {
    const counters = { count: async () => 1, all: async () => [] }
    expect(await groups({ group_by: ['source'] }, { counters })).toEqual(counted('source'))
    const { total } = await read({ filter: { source: 'mail' } }, { counters }, { offset: 0, limit: 2 })
    expect(total).toBe(expectedIds(made.things, { filter: { source: 'mail' } }, made).length)
  })
})
