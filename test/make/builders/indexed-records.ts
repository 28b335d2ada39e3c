/** Records whose index is kept by hand: a test decides which changes the indexer hears of, when and how often. */
import { clock } from '../../../shared/kernel/clock.ts'
import type { TenantRef } from '../../../shared/kernel/tenancy.ts'
import { indexContent } from '../../../shared/search/index-content.ts'
import { indexRecords, type RecordToIndex } from '../../../shared/search/index-records.ts'
import { recordKey } from '../../../shared/store/keys/records.ts'
import { counterKey, counterSort, postingKey } from '../../../shared/store/keys/search.ts'
import type { Store } from '../../../shared/store/table.ts'
import { assignSlots } from '../../../shared/tables/assign-slots.ts'
import { countedFields } from '../../../shared/tables/counted-fields.ts'
import type { Field } from '../../../shared/tables/schema.ts'
import { readTable, type SearchIndexState, type Table } from '../../../shared/tables/table.ts'
import type { SingleTable } from '../services/single-table.ts'

export const tenant = { id: 7, slug: 'acme', name: 'Acme', configVersion: 1 }
export const model = 'requests'

export const tableWith = (
  table_fields: Field[],
  more: { version?: number; title_field?: string | null; search_index?: SearchIndexState } = {},
): Table =>
  readTable({
    name: model,
    version: more.version ?? 1,
    doc: {
      id: 101,
      label: 'Requests',
      title_field: more.title_field === undefined ? 'title' : more.title_field,
      table_fields,
      automations: [],
      retired: [],
      slots: assignSlots(table_fields, undefined, true),
      search_index: more.search_index ?? { generation: 0, counted: countedFields({ table_fields }) },
    },
  })

export const requestsTable = tableWith([
  { name: 'title', type: 'text' },
  { name: 'note', type: 'textarea' },
  { name: 'status', type: 'value_list', options: [{ slug: 'new' }, { slug: 'open' }, { slug: 'closed' }] },
  { name: 'urgent', type: 'boolean' },
])

type Data = Readonly<Record<string, unknown>>

/** Writes a record as a create or an update would; with `data` null its delete has begun. */
export const writeRecord = (store: Store, id: number, version: number, data: Data | null): Promise<void> =>
  store.write(tenant, {
    put: {
      ...recordKey(tenant, model, id),
      kind: 'record',
      version,
      data: JSON.stringify(data ?? {}),
      ...(data === null && { deleted_at: 'now' }),
    },
  })

export const heard = (id: number, version: number, again = false): RecordToIndex => ({ model, id, version, again })

/** Indexes and expects that nothing went wrong. */
export async function index(
  store: Store,
  records: readonly RecordToIndex[],
  table: Table = requestsTable,
): Promise<void> {
  const failures = await indexRecords({ store, clock, tables: { find: async () => table } }, tenant, records)
  for (const cause of failures.values()) throw cause
}

/** What the index holds, and what it should hold of these records of `tenant`. */
export async function comparedIndex(
  single: Pick<SingleTable, 'itemsOf'>,
  records: ReadonlyMap<number, Data>,
  table: Table = requestsTable,
) {
  return compareIndex(single, tenant, table, records)
}

/** The same of any tenant and table. */
export async function compareIndex(
  { itemsOf }: Pick<SingleTable, 'itemsOf'>,
  of: TenantRef,
  table: Table,
  records: ReadonlyMap<number, Data>,
) {
  const { name } = table
  const { generation } = table.search_index
  const postings: Record<string, number> = {}
  const counters: Record<string, number> = {}
  for (const [id, data] of records) {
    for (const [token, weight] of indexContent(table, data).tokens)
      postings[keyText(postingKey(of, name, generation, token, id))] = weight
    for (const field of countedFields(table)) {
      const key = keyText(counterKey(of, name, field, generation, counterSort(data[field])))
      counters[key] = (counters[key] ?? 0) + 1
    }
  }
  const held = {
    postings: Object.fromEntries((await itemsOf(`T#${of.id}#S#${name}#`)).map((item) => [keyText(item), item.w])),
    counters: Object.fromEntries(
      (await itemsOf(`T#${of.id}#N#${name}#`)).filter(({ n }) => n !== 0).map((item) => [keyText(item), item.n]),
    ),
  }
  return { held, wanted: { postings, counters } }
}

const keyText = ({ pk, sk }: { pk: string; sk: string }): string => `${pk} ${sk}`
