import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQuery, type Query } from '../../../../shared/query/grammar/parse-query.ts'
import { defaultLimits, type Limits } from '../../../../shared/query/limits.ts'
import { readPage, type Paging } from '../../../../shared/query/plan/read-page.ts'
import {
  clientsTable,
  makeRecords,
  seeded,
  tenant,
  thingsTable,
  type MadeRecords,
} from '../../../make/builders/query-records.ts'
import { randomQuery, randomTest, type RandomQuery } from '../../../make/loads/random-query.ts'
import { expectedIds } from '../../../make/oracles/query-oracle.ts'
import { openSingleTable, type SingleTable } from '../../../make/services/single-table.ts'

let single: SingleTable
let made: MadeRecords
beforeAll(async () => {
  single = await openSingleTable()
  made = await makeRecords(single.store, 130, seeded(20261120))
})
afterAll(() => single?.close())

const fieldNames = { table: thingsTable, targets: new Map([['clients', clientsTable]]), mayRead: () => true }
const variables = { nowMs: Date.parse('2026-11-20T08:00:00.000Z'), timeZone: 'UTC', userId: 1, orgUnitIds: [] }
const parse = (raw: Partial<RandomQuery>): Query => parseQuery(raw, fieldNames, variables)

/** Limits so small that a hundred records reach every plan. */
const tight: Limits = {
  ...defaultLimits,
  probed: 4,
  readWhole: 8,
  maxScanned: 60,
  shortSkip: 3,
  splitFrom: 10,
  splitIds: 40,
}

const page = (query: Query, paging: Paging, limits: Limits) =>
  readPage({ store: single.store, limits }, tenant, thingsTable, query, paging)
const idsOf = ({ rows }: { rows: readonly { id: number }[] }): number[] => rows.map(({ id }) => id)

async function readByCursor(query: Query, limit: number, limits: Limits): Promise<number[]> {
  const ids: number[] = []
  let cursor: string | null = null
  do {
    const one = await page(query, { offset: 0, limit, cursor }, limits)
    ids.push(...idsOf(one))
    cursor = one.nextCursor
  } while (cursor !== null && ids.length < 500)
  return ids
}

const plans = new Set<string>()

async function compare(raw: RandomQuery, limit: number, at: number, limits: Limits, withCursor = true): Promise<void> {
  const expected = expectedIds(made.things, raw, made)
  const query = parse(raw)
  const context = JSON.stringify(raw)
  const first = await page(query, { offset: 0, limit }, limits)
  expect({ ids: idsOf(first), total: first.total, isExact: first.isTotalExact }, context).toEqual({
    ids: expected.slice(0, limit),
    total: expected.length,
    isExact: true,
  })
  expect(first.nextCursor !== null, `more after ${context}`).toBe(expected.length > limit)
  const offset = at * limit
  expect(idsOf(await page(query, { offset, limit }, limits)), `from ${offset}: ${context}`).toEqual(
    expected.slice(offset, offset + limit),
  )
  plans.add(first.explain().plan as string)
  const byCursor = withCursor ? await readByCursor(query, limit, limits) : expected
  expect(byCursor, `by cursor: ${context}`).toEqual(expected)
}

describe.each([
  ['small tables', defaultLimits],
  ['large tables', tight],
] as const)('with the plans of %s', (name, limits) => {
  const operators = [
    '_eq',
    '_neq',
    '_lt',
    '_lte',
    '_gt',
    '_gte',
    '_in',
    '_nin',
    '_between',
    '_null',
    '_nnull',
    '_empty',
    '_nempty',
    '_contains',
    '_icontains',
    '_starts_with',
    '_istarts_with',
    '_ends_with',
  ]

  it.each(operators)('%s matches the oracle on every field', async (operator) => {
    const random = seeded(operators.indexOf(operator) + 17)
    const isText = /with|contains/.test(operator)
    const fields = isText
      ? ['title', 'long', 'note', 'client_id.name']
      : [
          'id',
          'created_by',
          'updated_at',
          'title',
          'long',
          'note',
          'priority',
          'weight',
          'bare',
          'active',
          'due',
          'at',
          'source',
          'client_id',
          'late',
          'client_id.name',
          'client_id.score',
        ]
    for (const [index, field] of fields.entries())
      await compare(
        { filter: randomTest(random, field, operator), sort: [] },
        1 + random(30),
        random(4),
        limits,
        index % 3 === 0,
      )
  })

  it('random queries match the oracle in rows, order, totals, pages and cursors', { timeout: 300_000 }, async () => {
    const random = seeded(name.length * 7919)
    for (let round = 0; round < 1010; round += 1)
      await compare(randomQuery(random), 2 + random(40), random(5), limits, round % 5 === 0)
  })
})

it('the queries of this test reach every plan', () => {
  const kinds = [...plans].map((plan) => plan.replace(/(keys|runs) of \w+/g, '$1'))
  expect([...new Set(kinds)].sort()).toEqual([
    'ids in common',
    'ids in common, each record checked',
    'ids in common, in the order of keys',
    'ids in common, in the order of runs',
    'keys',
    'keys, each record checked',
    'keys, narrowed by keys, each record checked',
    'nothing can match',
    'runs',
    'runs, each record checked',
    'table scan',
  ])
})
