import { afterAll, beforeAll, expect, it } from 'vitest'
import { Invalid } from '../../../../../shared/kernel/failures/faults.ts'
import { unrestricted, type Viewer } from '../../../../../shared/kernel/principal.ts'
import type { Row } from '../../../../../shared/lists/query/read/row.ts'
import type { RawQuery } from '../../../../../shared/lists/query/schema.ts'
import { createQueries } from '../../../../../shared/lists/query/service.ts'
import { scoreWords, termsOf, tokensOf } from '../../../../../shared/lists/search/terms.ts'
import { wordsOf } from '../../../../../shared/lists/search/words-of.ts'
import type { Tables } from '../../../../../shared/tables/tables/read-tables.ts'
import type { Table } from '../../../../../shared/tables/tables/table.ts'
import { frozenClock } from '../../../../make/builders/frozen-clock.ts'
import {
  clientsTable,
  type MadeRecords,
  makeRecords,
  pick,
  seeded,
  tableOf,
  tenant,
  thingsTable,
} from '../../../../make/builders/lists/query-records.ts'
import { runs } from '../../../../make/depth.ts'
import { randomQuery } from '../../../../make/loads/random-query.ts'
import { openColumnIndex } from '../../../../make/services/stores/column-index.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

let single: SingleTable
let made: MadeRecords
let queries: ReturnType<typeof createQueries>
beforeAll(async () => {
  single = await openSingleTable()
  made = await makeRecords(single.store, 130, seeded(20261122))
  queries = createQueries({
    store: single.store,
    columns: openColumnIndex(single.store, tenant, [thingsTable, clientsTable]).columns,
    clock: frozenClock(),
    tables: { find: async () => clientsTable } as unknown as Tables,
    orgTree: { withDescendants: async (_tenant, units) => units },
  })
})
afterAll(() => single?.close())

type Readable = { readonly things: ReadonlySet<string>; readonly clients: ReadonlySet<string> }
const namesOf = (table: Table): string[] => table.table_fields.map(({ name }) => name)
const all: Readable = { things: new Set(namesOf(thingsTable)), clients: new Set(namesOf(clientsTable)) }

const randomReadable = (random: (below: number) => number): Readable => ({
  things: new Set(namesOf(thingsTable).filter(() => random(5) > 0)),
  clients: new Set(namesOf(clientsTable).filter(() => random(5) > 0)),
})

const limitedTo = ({ things, clients }: Readable): Viewer => ({
  ...unrestricted,
  tenant,
  userId: 1,
  isAdministrator: false,
  permissions: ['*'],
  grants: [
    { permissions: ['*'], rules: [], fields: { things: { read: [...things] }, clients: { read: [...clients] } } },
  ],
})

/** The fields that a filter names, as paths. */
const pathsIn = (filter: unknown): string[] =>
  typeof filter !== 'object' || filter === null
    ? []
    : Object.entries(filter).flatMap(([key, value]) =>
        key.startsWith('_') ? (Array.isArray(value) ? value : [value]).flatMap(pathsIn) : [key],
      )

function isReadable({ things, clients }: Readable, path: string): boolean {
  const [name, step] = path.split('.') as [string, string?]
  const isOwn = things.has(name) || !all.things.has(name)
  return isOwn && (step === undefined || clients.has(step))
}

const codeOf = (error: unknown): unknown => (error instanceof Invalid ? error.code : error)

const idsOf = (rows: readonly Row[]): number[] => rows.map(({ id }) => id)

async function ask(viewer: Viewer, raw: RawQuery) {
  const query = await queries.parse(viewer, thingsTable, raw)
  const page = await queries.page(tenant, thingsTable, query, { offset: 0, limit: 1000 })
  return { ids: idsOf(page.rows), total: page.total }
}

it('a query that names a hidden field is refused, and any other is answered as if nothing were hidden', async () => {
  const random = seeded(104_729)
  let refused = 0
  for (let round = 0; round < runs(200); round += 1) {
    const readable = randomReadable(random)
    const raw = randomQuery(random)
    const named = [...pathsIn(raw.filter), ...raw.sort.map((key) => key.replace(/^-/, ''))]
    const context = JSON.stringify({ raw, readable: [...readable.things, ...readable.clients] })
    const isRefused = !named.every((path) => isReadable(readable, path))
    const whole = await ask({ ...limitedTo(readable), isAdministrator: true }, raw)
    expect(await ask(limitedTo(readable), raw).catch(codeOf), context).toEqual(isRefused ? 'validation_failed' : whole)
    refused += Number(isRefused)
  }
  expect(refused).toBeGreaterThan(runs(25, 5))
})

it('a search finds and ranks as if hidden fields had no values', async () => {
  const random = seeded(7919)
  const words = made.things.flatMap(({ data }) => tokensOf(`${data.title ?? ''} ${data.note ?? ''}`))
  let found = 0
  for (let round = 0; round < runs(150); round += 1) {
    const readable = randomReadable(random)
    const text = [pick(random, words), ...(random(3) === 0 ? [pick(random, words)] : [])].join(' ')
    const left = tableOf(
      102,
      'things',
      thingsTable.table_fields.filter(({ name }) => readable.things.has(name)),
    )
    const table = { table_fields: left.table_fields, title_field: thingsTable.title_field }
    const scores = new Map(
      made.things.map(({ id, data }) => [
        id,
        scoreWords(
          wordsOf(table, (name) => data[name]),
          termsOf(text),
        ),
      ]),
    )
    const expected = [...scores].filter(([, score]) => score > 0).sort(([a, x], [b, y]) => y - x || b - a)
    const context = JSON.stringify({ text, readable: [...readable.things] })
    expect(await ask(limitedTo(readable), { search: text }), context).toEqual({
      ids: expected.map(([id]) => id),
      total: expected.length,
    })
    found += expected.length
  }
  expect(found).toBeGreaterThan(runs(100))
})
