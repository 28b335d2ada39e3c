import type { TenantRef } from '../../../kernel/tenancy.ts'
import { discussionKey } from '../../../platform/store/keys/comments.ts'
import type { StoredRecord } from '../../../platform/store/rows/record-row.ts'
import type { NamedFields } from '../../../platform/store/rows/stored-names.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { readMergedDiscussions } from '../commented-record.ts'
import { readPeople } from '../rows/discussion-row.ts'
import { watchersOf } from './watchers-of.ts'

/**
 * Who watches a record; of a deleted one, who watched it. `former`: users who were in its fields
 * before its last change, and are among them unless they stopped.
 */
export async function watcherIds(
  store: Pick<Store, 'get' | 'getMany'>,
  tenant: TenantRef,
  table: Pick<Table, 'name' | 'table_fields'> & NamedFields,
  record: StoredRecord,
  former: readonly number[],
): Promise<number[]> {
  const people = readPeople(await store.get(tenant, discussionKey(tenant, table.name, record.id)))
  const { mergedFrom = [] } = record
  const merged =
    mergedFrom.length === 0
      ? []
      : await readMergedDiscussions(store, tenant, table, { merged_from: mergedFrom.join(' ') })
  const watching = watchersOf(table, record, people, { seesInternal: true }, merged).keys()
  return [...new Set([...watching, ...former.filter((id) => id !== 0 && !people.muted.includes(id))])]
}
