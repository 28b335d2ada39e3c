import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clock } from '../../../../../shared/kernel/time/clock.ts'
import { parseQuery } from '../../../../../shared/lists/query/grammar/parse-query.ts'
import { aggregate } from '../../../../../shared/lists/query/read/aggregate.ts'
import { countRecords } from '../../../../../shared/lists/query/read/count-records.ts'
import { readPage } from '../../../../../shared/lists/query/read/read-page.ts'
import type { RawQuery } from '../../../../../shared/lists/query/schema.ts'
import { recordItem } from '../../../../../shared/records/records/record-item.ts'
import { setSequence, tableOf, tenant } from '../../../../make/builders/lists/query-records.ts'
import { type ColumnIndex, openColumnIndex } from '../../../../make/services/stores/column-index.ts'
import { openSingleTable, type SingleTable } from '../../../../make/services/stores/single-table.ts'

const table = tableOf(103, 'letters', [
  { name: 'title', type: 'text' },
  { name: 'body', type: 'textarea' },
])
const count = 2_300
/** Most bodies are long, and say their number only at the very end; some of the short ones do, too. */
const bodyOf = (id: number): string =>
  id % 10 > 0 ? `${'filler '.repeat(200)}end ${id % 6}` : id % 4 === 0 ? `end ${id % 6}` : 'short'

let single: SingleTable
let index: ColumnIndex
beforeAll(async () => {
  single = await openSingleTable()
  const record = (id: number) => ({
    id,
    tenant_id: tenant.id,
    created_by: 1,
    updated_by: 1,
    created_at: '2026-11-22T00:00:00.000Z',
    updated_at: '2026-11-22T00:00:00.000Z',
    version: 1,
    data: { title: `t${id % 7}`, body: bodyOf(id) },
  })
  const ids = Array.from({ length: count }, (_, at) => at + 1)
  for (let start = 0; start < count; start += 100) {
    const items = ids
      .slice(start, start + 100)
      .map((id) => recordItem(table, record(id), { tenant, userId: 1 }, clock.uuid()))
    await single.store.putMany(tenant, items)
  }
  await setSequence(single.store, 'letters', count, count)
})
afterAll(() => single?.close())

const fieldNames = { table, targets: new Map(), mayRead: () => true }
const variables = { nowMs: 0, timeZone: 'UTC', userId: 1, orgUnitIds: [] }
const parse = (raw: RawQuery) => parseQuery(raw, fieldNames, variables)
const services = () => ({ store: single.store, columns: index.columns })
/** A list that other fields narrow to fewer long texts than may be read. */
const narrowed = (body: object) => ({ filter: { title: { _neq: 't0' }, ...body } })
const list = async (raw: RawQuery) => {
  const { rows, total } = await readPage(services(), tenant, table, parse(raw), { offset: 0, limit: 1000 })
  return { ids: rows.map(({ id }) => id), total }
}
const expected = (passes: (body: string, id: number) => boolean): { ids: number[]; total: number } => {
  const ids = Array.from({ length: count }, (_, at) => count - at).filter((id) => passes(bodyOf(id), id))
  return { ids: ids.slice(0, 1000), total: ids.length }
}

// The whole texts are below the first limit and above the second.
describe.each([
  ['that columns hold', 64 * 1024 * 1024],
  ['that are too large for columns', 100],
] as const)('long texts %s', (_, longColumnBytes) => {
  beforeAll(async () => {
    index = openColumnIndex(single.store, tenant, [table], { limits: { longColumnBytes } })
    for (let start = 1; start <= count; start += 100)
      await index.keep(
        'letters',
        Array.from({ length: Math.min(100, count - start + 1) }, (__, at) => start + at),
      )
    await index.fold('letters')
    // A process of its own, which knows nothing yet.
    index = openColumnIndex(single.store, tenant, [table], { limits: { longColumnBytes } })
  })

  it.each<[string, object, (body: string) => boolean]>([
    ['_contains', { body: { _contains: 'end 4' } }, (body) => body.includes('end 4')],
    ['_ends_with', { body: { _ends_with: '4' } }, (body) => body.endsWith('4')],
    ['_iends_with', { body: { _iends_with: 'END 4' } }, (body) => body.endsWith('end 4')],
    ['_ieq', { body: { _ieq: bodyOf(4).toUpperCase() } }, (body) => body === bodyOf(4)],
    ['_not', { _not: { body: { _icontains: 'END 4' } } }, (body) => !body.includes('end 4')],
    ['_or', { _or: [{ body: { _contains: 'end 4' } }, { body: 'short' }] }, (body) => /end 4|short/.test(body)],
    ['_starts_with', { body: { _starts_with: 'fill' } }, (body) => body.startsWith('fill')],
    ['nowhere', { body: { _contains: 'nowhere' } }, () => false],
  ])('are tested to their ends by %s, in lists, totals and groups', async (__, filter, passes) => {
    const wanted = expected((body, id) => passes(body) && id % 7 !== 0)
    expect(await list(narrowed(filter))).toEqual(wanted)
    expect(await countRecords(services(), tenant, table, parse(narrowed(filter)))).toBe(wanted.total)
    const query = parse({ ...narrowed(filter), group_by: ['title'] }) as never
    const { rows } = await aggregate(services(), tenant, table, query, { offset: 0, limit: 100 })
    expect(rows.reduce((sum, { count: n = 0 }) => sum + n, 0)).toBe(wanted.total)
  })
})

it('more long texts than may be read are refused, naming the field and what to do', async () => {
  const refused = {
    code: 'query_too_expensive',
    errors: {
      'filter.body': [
        'The texts of body are too large to be looked through for 2070 records. Narrow the list by other fields to 2000 records, or use search.',
      ],
    },
  }
  const raw: RawQuery = { filter: { body: { _contains: 'nowhere' } } }
  await expect(list(raw)).rejects.toMatchObject(refused)
  await expect(countRecords(services(), tenant, table, parse(raw))).rejects.toMatchObject(refused)
  expect(await list({ filter: { body: { _starts_with: 'short' } } })).toEqual(expected((body) => body === 'short'))
})
