import type { Viewer } from '../../../kernel/principal.ts'
import type { Row } from '../../../lists/query/read/row.ts'
import type { ListedRecord, RawQuery } from '../../../lists/query/schema.ts'
import type { Queries } from '../../../lists/query/service.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { EntityRecord } from '../schema.ts'
import { listedRecords } from './listed-records.ts'

/**
 * One record that a viewer may see, with the `fields` and the expanded references of lists. The references are read as
 * they are now. Throws Invalid naming a wrong field.
 */
export async function selectedRecord(
  { tables, queries }: Pick<RecordDependencies, 'tables'> & { readonly queries: Pick<Queries, 'parse' | 'related'> },
  viewer: Viewer,
  model: string,
  record: EntityRecord,
  { fields, expand }: Pick<RawQuery, 'fields' | 'expand'>,
): Promise<ListedRecord> {
  const { tenant } = viewer
  const table = await tables.require(tenant, model)
  const { selection } = await queries.parse(viewer, table, { fields, expand })
  const related = queries.related(tenant)
  const [selected] = await listedRecords(
    [rowOf(record, recordKey(tenant, model, record.id))],
    table,
    selection,
    related,
    (name) => tables.find(tenant, name),
  )
  return selected as ListedRecord
}

/** A record as it was answered, as a row of a list. */
const rowOf = ({ id, data, merged_into: _into, merged_from: _from, ...standard }: EntityRecord, key: Key): Row => ({
  id,
  data,
  item: { ...key, ...standard, data: JSON.stringify(data) },
})
