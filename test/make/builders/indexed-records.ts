/** Records that a test indexes itself: it decides which changes the indexer receives, when and how often. */
import { clock } from '../../../shared/kernel/clock.ts'
import { indexRecords, type RecordToIndex } from '../../../shared/search/index-records.ts'
import { recordKey } from '../../../shared/store/keys/records.ts'
import type { Store } from '../../../shared/store/store.ts'
import { assignSlots } from '../../../shared/tables/indexes/assign-slots.ts'
import { countedFields } from '../../../shared/tables/indexes/counted-fields.ts'
import type { Field } from '../../../shared/tables/schema.ts'
import { readTable, type SearchIndexState, type Table } from '../../../shared/tables/table.ts'

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

/** Writes a record as a create or an update does; `data` null marks it as being deleted. */
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

export const changeOf = (id: number, version: number, again = false): RecordToIndex => ({ model, id, version, again })

/** Indexes these changes, and throws when one fails. */
export async function index(
  store: Store,
  records: readonly RecordToIndex[],
  table: Table = requestsTable,
): Promise<void> {
  const failures = await indexRecords({ store, clock, tables: { find: async () => table } }, tenant, records)
  for (const cause of failures.values()) throw cause
}
