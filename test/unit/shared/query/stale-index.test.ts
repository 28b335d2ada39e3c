import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQuery } from '../../../../shared/query/grammar/parse-query.ts'
import { defaultLimits, type Limits } from '../../../../shared/query/limits.ts'
import { readPage } from '../../../../shared/query/plan/read-page.ts'
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
} from '../../../make/builders/query-records.ts'
import { randomQuery, type RandomQuery } from '../../../make/loads/random-query.ts'
import { expectedIds, isMatch, type PlainRecord } from '../../../make/oracles/query-oracle.ts'
import { openSingleTable, type SingleTable } from '../../../make/services/single-table.ts'

const indexDelayMs = 1500
const rounds = 300
const fieldNames = { table: thingsTable, targets: new Map([['clients', clientsTable]]), mayRead: () => true }
const variables = { nowMs: 0, timeZone: 'UTC', userId: 1, orgUnitIds: [] }
const tight: Limits = { ...defaultLimits, probed: 4, readWhole: 8, maxScanned: 60, shortSkip: 3, splitFrom: 10 }

let single: SingleTable
let made: MadeRecords
const random = seeded(42)
beforeAll(async () => {
  single = await openSingleTable({ indexDelayMs })
  made = await makeRecords(single.store, 80, random)
  await new Promise((resolve) => setTimeout(resolve, indexDelayMs + 200))
})
afterAll(() => single?.close())

const read = (raw: RandomQuery, limits: Limits) =>
  readPage({ store: single.store, limits }, tenant, thingsTable, parseQuery(raw, fieldNames, variables), {
    offset: 0,
    limit: 100,
  })

describe('while the indexes lag behind the records', () => {
  it(
    'no list shows a record that no longer matches or is deleted, and once they have caught up every list is complete again',
    { timeout: 60_000 },
    async () => {
      const now = new Map<number, PlainRecord>(made.things.map((thing) => [thing.id, thing]))
      for (let change = 0; change < 40; change += 1) {
        const id = pick(random, [...now.keys()])
        const record = randomThing(id, random, 2)
        if (change % 4 === 0) {
          await removeThing(single.store, record, change % 8 === 0)
          now.delete(id)
        } else {
          await saveThing(single.store, record)
          now.set(id, record)
        }
      }
      await setSequence(single.store, 'things', 80, now.size)
      const started = Date.now()
      for (let round = 0; round < rounds && Date.now() - started < indexDelayMs - 300; round += 1) {
        const raw = randomQuery(random)
        const { rows } = await read(raw, round % 2 ? tight : defaultLimits)
        const ids = rows.map(({ id }) => id)
        expect(new Set(ids).size, JSON.stringify(raw)).toBe(ids.length)
        for (const row of rows) {
          const record = now.get(row.id)
          expect(record && isMatch(record, raw.filter, made), `${row.id}: ${JSON.stringify(raw)}`).toBe(true)
          expect(row.data).toEqual(record?.data)
        }
      }
      await new Promise((resolve) => setTimeout(resolve, indexDelayMs + 200))
      const records = [...now.values()]
      for (let round = 0; round < 100; round += 1) {
        const raw = randomQuery(random)
        const page = await read(raw, round % 2 ? tight : defaultLimits)
        const expected = expectedIds(records, raw, made)
        expect([page.rows.map(({ id }) => id), page.total], JSON.stringify(raw)).toEqual([expected, expected.length])
      }
    },
  )
})
