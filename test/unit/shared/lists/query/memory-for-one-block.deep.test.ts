import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../../shared/lists/query/grammar/parse-query.ts'
import { aggregate } from '../../../../../shared/lists/query/read/aggregate.ts'
import { readPage } from '../../../../../shared/lists/query/read/read-page.ts'
import type { RawQuery } from '../../../../../shared/lists/query/schema.ts'
import {
  clientsTable,
  makeRecords,
  type MadeRecords,
  randomThing,
  saveThing,
  seeded,
  setSequence,
  tenant,
  thingsTable,
} from '../../../../make/builders/lists/query-records.ts'
import { runs } from '../../../../make/depth.ts'
import { randomQuery, type RandomQuery } from '../../../../make/loads/random-query.ts'
import { expectedIds, order } from '../../../../make/oracles/query-oracle.ts'
import { type ColumnIndex, openColumnIndex } from '../../../../make/services/stores/column-index.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

/** Records in several blocks, of which a reader without memory holds one at a time. */
const step = 400
const fieldNames = { table: thingsTable, targets: new Map([['clients', clientsTable]]), mayRead: () => true }
const variables = { nowMs: Date.parse('2026-11-23T08:00:00.000Z'), timeZone: 'UTC', userId: 1, orgUnitIds: [] }
const memories = [
  ['memory for all', 64 * 1024 * 1024],
  ['memory for one block', 1],
] as const

let single: SingleTable
let made: MadeRecords
let index: ColumnIndex

const services = () => ({ store: single.store, columns: index.columns })
const open = (budgetBytes?: number): ColumnIndex =>
  openColumnIndex(single.store, tenant, [thingsTable, clientsTable], { budgetBytes })

async function fold(): Promise<void> {
  const filled = open()
  await filled.keep('clients', [1, 2, 3, 4, 5])
  await filled.keep(
    'things',
    made.things.map(({ id }) => id),
  )
  await filled.fold('things')
  await filled.fold('clients')
}

/** Compares a page, and the one after it by cursor, with what the oracle says. */
async function compare(raw: RandomQuery, limit: number, offset: number): Promise<void> {
  const expected = expectedIds(made.things, raw, made)
  const query = parseQuery(raw, fieldNames, variables)
  const page = await readPage(services(), tenant, thingsTable, query, { offset, limit })
  const cursor = page.nextCursor
  const next = cursor ? await readPage(services(), tenant, thingsTable, query, { offset: 0, limit, cursor }) : undefined
  expect(
    { ids: page.rows.map(({ id }) => id), total: page.total, next: next?.rows.map(({ id }) => id) ?? [] },
    `from ${offset}: ${JSON.stringify(raw)}`,
  ).toEqual({
    ids: expected.slice(offset, offset + limit),
    total: expected.length,
    next: expected.slice(offset + limit, offset + 2 * limit),
  })
}

const groupsOf = async (raw: RawQuery) =>
  (
    await aggregate(services(), tenant, thingsTable, parseQuery(raw, fieldNames, variables) as never, {
      offset: 0,
      limit: 1000,
    })
  ).rows

describe('values of every kind', () => {
  beforeAll(async () => {
    single = await openSingleTable()
    made = await makeRecords(single.store, 130, seeded(20261123), step)
    await fold()
  })
  afterAll(() => single.close())

  describe.each(memories)('with %s', (_, budgetBytes) => {
    beforeAll(() => {
      index = open(budgetBytes)
    })

    it('lists match the oracle in rows, order, totals and cursors', { timeout: 240_000 }, async () => {
      const random = seeded(7919)
      for (let round = 0; round < runs(80, 20); round += 1)
        await compare(randomQuery(random), 2 + random(40), 10 * random(5))
    })
  })

  it('groups and measures are the same with memory for one block', async () => {
    const questions: RawQuery[] = [
      { group_by: ['source'], aggregate: { count: '*', avg: ['priority'], min: ['title'], max: ['note'] } },
      { group_by: ['client_id.name', 'active'], aggregate: { sum: ['weight'], max: ['due'], min: ['client_id.name'] } },
      { group_by: ['client_id.score'], aggregate: { first: ['title', 'at'], last: ['client_id.name'] } },
      { group_by: ['created_by.name', 'title'], aggregate: { count: '*' } },
    ] as never
    for (const raw of questions) {
      index = open()
      const whole = await groupsOf(raw)
      index = open(1)
      expect(whole.length, JSON.stringify(raw)).toBeGreaterThan(2)
      expect(await groupsOf(raw), JSON.stringify(raw)).toEqual(whole)
    }
  })
})

describe('many texts that begin alike', () => {
  beforeAll(async () => {
    single = await openSingleTable()
    const random = seeded(11)
    const beginnings = ['', 'Re: ', 'Request for access to the ', 'Meldung über Störung 灯😀 ', 'Request for a ']
    const endings = ['', '!', '\uff01', '😀', 'é', 'laptop']
    const things = Array.from({ length: 500 }, (_, at) => {
      const thing = randomThing((at + 1) * 130, random)
      const title = `${beginnings[random(5)]}${random(3) === 0 ? random(40) : random(100_000)}${endings[random(6)]}`
      const { title: _title, ...data } = thing.data
      return { ...thing, data: at % 9 === 0 ? data : { ...data, title } }
    })
    for (const thing of things) await saveThing(single.store, thing)
    await setSequence(single.store, 'things', 500 * 130, things.length)
    made = { things, clients: new Map() }
    await fold()
  })
  afterAll(() => single.close())

  describe.each(memories)('with %s', (_, budgetBytes) => {
    beforeAll(() => {
      index = open(budgetBytes)
    })

    it.each([[['title']], [['-title']], [['priority', '-title']], [['active', 'title', '-source']]])(
      'are sorted by %j, the missing ones last',
      { timeout: 240_000 },
      async (sort) => {
        for (const offset of [0, 30, 250, 430, 480]) await compare({ filter: {}, sort }, 35, offset)
      },
    )

    it('have a least and a greatest one', async () => {
      const titles = made.things.flatMap(({ data }) => (data.title as string | undefined) ?? []).sort(order)
      const [row] = await groupsOf({ aggregate: { min: ['title'], max: ['title'] } } as never)
      expect(row).toMatchObject({ min: { title: titles[0] }, max: { title: titles.at(-1) } })
    })
  })
})
