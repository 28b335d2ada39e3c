import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../../shared/lists/query/grammar/parse-query.ts'
import { readPage } from '../../../../../shared/lists/query/read/read-page.ts'
import {
  clientsTable,
  makeRecords,
  pick,
  randomThing,
  removeThing,
  saveThing,
  seeded,
  setSequence,
  tenant,
  thingsTable,
  type MadeRecords,
} from '../../../../make/builders/lists/query-records.ts'
import { randomQuery, type RandomQuery } from '../../../../make/loads/random-query.ts'
import { expectedIds, isMatch, type PlainRecord } from '../../../../make/oracles/query-oracle.ts'
import { type ColumnIndex, openColumnIndex } from '../../../../make/services/stores/column-index.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const indexDelayMs = 1500
const fieldNames = { table: thingsTable, targets: new Map([['clients', clientsTable]]), mayRead: () => true }
const variables = { nowMs: 0, timeZone: 'UTC', userId: 1, orgUnitIds: [] }

let single: SingleTable
let made: MadeRecords
let index: ColumnIndex
const random = seeded(42)
const now = new Map<number, PlainRecord>()
beforeAll(async () => {
  single = await openSingleTable({ indexDelayMs })
  made = await makeRecords(single.store, 80, random)
  for (const thing of made.things) now.set(thing.id, thing)
  index = openColumnIndex(single.store, tenant, [thingsTable, clientsTable])
  await index.keep('clients', [1, 2, 3, 4, 5])
  await index.keep(
    'things',
    Array.from({ length: 80 }, (_, at) => at + 1),
  )
})
afterAll(() => single?.close())

const read = (raw: RandomQuery, limit = 100) =>
  readPage(
    { store: single.store, columns: index.columns },
    tenant,
    thingsTable,
    parseQuery(raw, fieldNames, variables),
    { offset: 0, limit },
  )

/** Changes and deletes records. The time of a change is now, as a writer has it; answers the ids. */
async function change(count: number): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < count; at += 1) {
    const id = pick(random, [...now.keys()])
    const version = (now.get(id) as PlainRecord).version + 1
    const record = { ...randomThing(id, random, version), updated_at: new Date().toISOString() }
    if (at % 4 === 0) {
      await removeThing(single.store, record, at % 8 === 0, record.updated_at)
      now.delete(id)
    } else {
      await saveThing(single.store, record)
      now.set(id, record)
    }
    ids.push(id)
  }
  await setSequence(single.store, 'things', 80, now.size)
  return ids
}

async function expectNothingStale(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const raw = randomQuery(random)
    const { rows } = await read(raw)
    const ids = rows.map(({ id }) => id)
    expect(new Set(ids).size, JSON.stringify(raw)).toBe(ids.length)
    for (const row of rows) {
      const record = now.get(row.id)
      expect(record && isMatch(record, raw.filter, made), `${row.id}: ${JSON.stringify(raw)}`).toBe(true)
      expect(row.data).toEqual(record?.data)
    }
  }
}

async function expectComplete(rounds: number): Promise<void> {
  const records = [...now.values()]
  for (let round = 0; round < rounds; round += 1) {
    const raw = randomQuery(random)
    const page = await read(raw)
    const expected = expectedIds(records, raw, made)
    expect([page.rows.map(({ id }) => id), page.total], JSON.stringify(raw)).toEqual([expected, expected.length])
  }
}

describe('while the change slot and the keeper lag behind the records', () => {
  it('no list shows a record that no longer matches or is deleted', { timeout: 240_000 }, async () => {
    await change(40)
    await expectNothingStale(150)
  })

  it(
    'every list is complete once the change slot has caught up, without the keeper',
    { timeout: 240_000 },
    async () => {
      await change(10)
      await new Promise((resolve) => setTimeout(resolve, indexDelayMs + 200))
      await expectComplete(100)
    },
  )

  it(
    'every list is complete once the keeper has caught up, without the change slot',
    { timeout: 240_000 },
    async () => {
      const ids = await change(10)
      await index.keep('things', ids)
      await expectComplete(50)
    },
  )

  it.each(['id', '-id'])('a page by %s is filled up although records of it are gone', async (sort) => {
    const wanted: RandomQuery = { filter: { id: { _gte: 1 } }, sort: [sort] }
    await new Promise((resolve) => setTimeout(resolve, indexDelayMs + 200))
    const before = expectedIds([...now.values()], wanted, made)
    for (const id of before.slice(2, 6)) {
      const record = now.get(id) as PlainRecord
      now.delete(id)
      await removeThing(
        single.store,
        { ...record, tenant_id: tenant.id, version: record.version + 1 },
        true,
        new Date().toISOString(),
      )
    }
    await setSequence(single.store, 'things', 80, now.size)
    const { rows } = await read(wanted, 10)
    expect(rows.map(({ id }) => id)).toEqual([...before.slice(0, 2), ...before.slice(6, 14)])
  })
})
