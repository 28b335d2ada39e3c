import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseQuery } from '../../../../../shared/lists/query/grammar/parse-query.ts'
import { aggregate } from '../../../../../shared/lists/query/read/aggregate.ts'
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
import { runs } from '../../../../make/depth.ts'
import { randomQuery, type RandomQuery } from '../../../../make/loads/random-query.ts'
import { expectedIds, type PlainRecord } from '../../../../make/oracles/query-oracle.ts'
import { type ColumnIndex, openColumnIndex } from '../../../../make/services/stores/column-index.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const fieldNames = { table: thingsTable, targets: new Map([['clients', clientsTable]]), mayRead: () => true }
const variables = { nowMs: 0, timeZone: 'UTC', userId: 1, orgUnitIds: [] }
const random = seeded(2_026_112_2)
const grouped = ['source', 'priority', 'active', 'client_id.name', 'due', 'created_by']

let single: SingleTable
let made: MadeRecords
let index: ColumnIndex
const living = new Map<number, PlainRecord>()
/** The last version of every record, deleted ones included. */
const versions = new Map<number, number>()
beforeAll(async () => {
  single = await openSingleTable()
  made = await makeRecords(single.store, 60, random)
  for (const thing of made.things) living.set(thing.id, thing)
  for (let id = 1; id <= 60; id += 1) versions.set(id, 1)
  index = openColumnIndex(single.store, tenant, [thingsTable, clientsTable], { limits: { foldRows: 40 } })
  await index.keep('clients', [1, 2, 3, 4, 5])
  await index.keep('things', [...versions.keys()])
})
afterAll(() => single?.close())

/** Creates, changes, deletes or restores a record; answers its id. */
async function write(): Promise<number> {
  const isNew = versions.size < 300 && random(6) === 0
  const id = isNew ? versions.size + 1 : pick(random, [...versions.keys()])
  const version = (versions.get(id) ?? 0) + 1
  const record = { ...randomThing(id, random, version), updated_at: new Date().toISOString() }
  versions.set(id, version)
  if (living.has(id) && random(4) === 0) {
    await removeThing(single.store, record, random(2) === 0, record.updated_at)
    living.delete(id)
  } else {
    await saveThing(single.store, record)
    living.set(id, record)
  }
  await setSequence(single.store, 'things', versions.size, living.size)
  return id
}

async function compare(raw: RandomQuery): Promise<void> {
  const expected = expectedIds([...living.values()], raw, made)
  const context = JSON.stringify(raw)
  const query = parseQuery(raw, fieldNames, variables)
  const services = { store: single.store, columns: index.columns }
  const limit = 1 + random(40)
  const offset = random(3) * limit
  const page = await readPage(services, tenant, thingsTable, query, { offset, limit })
  expect([page.rows.map(({ id }) => id), page.total], context).toEqual([
    expected.slice(offset, offset + limit),
    expected.length,
  ])
  const field = pick(random, grouped)
  const counts = parseQuery({ filter: raw.filter, group_by: [field] }, fieldNames, variables) as never
  const { rows } = await aggregate(services, tenant, thingsTable, counts, { offset: 0, limit: 1000 })
  expect(rows.map(({ group, count }) => [group[field], count]).sort(), `${field} of ${context}`).toEqual(
    [...Map.groupBy(expected, (id) => valueOf(id, field))].map(([value, ids]) => [value, ids.length]).sort(),
  )
}

function valueOf(id: number, path: string): unknown {
  const { data, created_by } = living.get(id) as PlainRecord
  if (path === 'created_by') return created_by
  const [name = '', step] = path.split('.')
  const own = data[name] ?? null
  return step === undefined ? own : (made.clients.get(own as number)?.data[step] ?? null)
}

it(
  'two thousand random filter trees agree with the oracle in page, total, order and groups while records are written',
  { timeout: 300_000 },
  async () => {
    // What the keeper has not been told yet: it is told late, in any order, and some things twice.
    let untold: number[] = []
    for (let round = 0; round < runs(2000, 250); round += 1) {
      for (let count = random(4); count > 0; count -= 1) untold.push(await write())
      if (random(3) === 0) {
        const told = untold.filter(() => random(3) > 0)
        const repeated = told.slice(0, random(3))
        if (told.length > 0) await index.keep('things', [...told, ...repeated], (id) => versions.get(id) as number)
        untold = untold.filter((id) => !told.includes(id) || random(10) === 0)
      }
      if (random(100) === 0) await index.fold('things')
      // Now and then a process that knows nothing yet.
      if (random(200) === 0)
        index = openColumnIndex(single.store, tenant, [thingsTable, clientsTable], { limits: { foldRows: 40 } })
      await compare(randomQuery(random))
    }
  },
)
