import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../../shared/lists/query/grammar/parse-query.ts'
import { searchTerms } from '../../../../../shared/lists/query/grammar/search-terms.ts'
import { aggregate } from '../../../../../shared/lists/query/read/aggregate.ts'
import { readPage, type Paging } from '../../../../../shared/lists/query/read/read-page.ts'
import type { RawQuery } from '../../../../../shared/lists/query/schema.ts'
import {
  clientsTable,
  makeRecords,
  seeded,
  tenant,
  thingsTable,
  type MadeRecords,
} from '../../../../make/builders/lists/query-records.ts'
import { expectedIds, order } from '../../../../make/oracles/query-oracle.ts'
import { type ColumnIndex, openColumnIndex } from '../../../../make/services/stores/column-index.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let single: SingleTable
let made: MadeRecords
let index: ColumnIndex
beforeAll(async () => {
  single = await openSingleTable()
  made = await makeRecords(single.store, 60, seeded(3))
  index = openColumnIndex(single.store, tenant, [thingsTable, clientsTable])
})
afterAll(() => single?.close())

const fieldNames = { table: thingsTable, targets: new Map([['clients', clientsTable]]), mayRead: () => true }
const variables = { nowMs: 0, timeZone: 'UTC', userId: 1, orgUnitIds: [] }
const services = () => ({ store: single.store, columns: index.columns })
const read = (raw: RawQuery, paging: Paging = { offset: 0, limit: 10 }) =>
  readPage(services(), tenant, thingsTable, parseQuery(raw, fieldNames, variables), paging)
const idsOf = ({ rows }: { rows: readonly { id: number }[] }) => rows.map(({ id }) => id)

describe('a search', () => {
  it('finds the records that have the words, and no others', async () => {
    const expected = made.things.filter(({ data }) => /hello/i.test(`${data.title} ${data.note}`)).map(({ id }) => id)
    const page = await read({ search: 'Hello' }, { offset: 0, limit: 100 })
    expect(new Set(idsOf(page))).toEqual(new Set(expected))
    expect(page.total).toBe(expected.length)
  })

  it('finds nothing for a text without words', async () =>
    expect(await read({ search: '...' })).toMatchObject({ rows: [], total: 0 }))

  it('ranks the title first', () => {
    const terms = searchTerms(thingsTable, 'printer jam', undefined)
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
  const page = await readPage(services(), tenant, thingsTable, restricted, { offset: 0, limit: 100 })
  expect(idsOf(page)).toEqual(
    expectedIds(
      made.things,
      { filter: { source: 'mail', _or: [{ priority: { _gte: 0 } }, { priority: null }] } },
      made,
    ),
  )
})

describe('groups', () => {
  const groups = async (raw: RawQuery) =>
    (
      await aggregate(services(), tenant, thingsTable, parseQuery(raw, fieldNames, variables) as never, {
        offset: 0,
        limit: 1000,
      })
    ).rows
  const counted = (field: string, filter = {}) => {
    const counts = new Map<unknown, number>()
    for (const id of expectedIds(made.things, { filter, sort: [field] }, made)) {
      const value = made.things.find((thing) => thing.id === id)?.data[field] ?? null
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    return [...counts].map(([value, count]) => ({ group: { [field]: value }, count }))
  }

  it.each(['title', 'long', 'priority', 'weight', 'active', 'due', 'at', 'source', 'client_id'])(
    'of %s are counted and ordered by their values',
    async (field) => expect(await groups({ group_by: [field] })).toEqual(counted(field)),
  )

  it('are counted among the records of the filter only', async () => {
    expect(await groups({ group_by: ['source'], filter: { priority: { _gte: 1 } } })).toEqual(
      counted('source', { priority: { _gte: 1 } }),
    )
    expect(await groups({ group_by: ['source'], filter: { _or: [] } })).toEqual([])
  })

  it('by several fields are measured as a model measures them', async () => {
    const found = await groups({
      group_by: ['source', 'client_id.name', 'active'],
      aggregate: {
        count: '*',
        sum: ['priority'],
        avg: ['weight'],
        min: ['title', 'due'],
        max: ['at', 'client_id.score'],
        first: ['title', 'client_id.score'],
        last: ['note', 'at'],
      },
    })
    const values = (thing: (typeof made.things)[number], path: string): unknown => {
      const [name = '', step] = path.split('.')
      const own = thing.data[name] ?? null
      return step === undefined ? own : (made.clients.get(own as number)?.data[step] ?? null)
    }
    const keyOf = (row: readonly unknown[]): string => JSON.stringify(row)
    const model = Map.groupBy(made.things, (thing) =>
      keyOf(['source', 'client_id.name', 'active'].map((path) => values(thing, path))),
    )
    expect(new Set(found.map(({ group }) => keyOf(Object.values(group))))).toEqual(new Set(model.keys()))
    for (const row of found) {
      const things = model.get(keyOf(Object.values(row.group))) ?? []
      const valuesOf = (path: string) => things.map((thing) => values(thing, path)).filter((value) => value !== null)
      const sorted = (path: string) => valuesOf(path).sort(order)
      const numbers = (path: string) => valuesOf(path) as number[]
      expect(row.count).toBe(things.length)
      expect(row.sum?.priority).toBe(numbers('priority').reduce((sum, one) => sum + one, 0))
      const known = numbers('weight')
      const average = known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length
      expect(JSON.stringify((row.avg?.weight as number | null)?.toPrecision(9)), 'avg').toBe(
        JSON.stringify(average?.toPrecision(9)),
      )
      expect([row.min?.title, row.min?.due]).toEqual([sorted('title')[0] ?? null, sorted('due')[0] ?? null])
      expect([row.max?.at, row.max?.['client_id.score']]).toEqual([
        sorted('at').at(-1) ?? null,
        sorted('client_id.score').at(-1) ?? null,
      ])
      const byId = things.toSorted((a, b) => a.id - b.id)
      const [oldest, newest] = [byId[0], byId.at(-1)] as [(typeof things)[number], (typeof things)[number]]
      expect(row.first).toEqual({
        title: values(oldest, 'title'),
        'client_id.score': values(oldest, 'client_id.score'),
      })
      expect(row.last).toEqual({ note: values(newest, 'note'), at: values(newest, 'at') })
    }
  })

  it('are one of all records, also of none, without a field to group by', async () => {
    const nobody = { filter: { _or: [] }, aggregate: { count: '*' as const, sum: ['priority'], max: ['weight'] } }
    expect(await groups(nobody)).toEqual([{ group: {}, count: 0, sum: { priority: 0 }, max: { weight: null } }])
  })
})
