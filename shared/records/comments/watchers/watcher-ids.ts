import type { TenantRef } from '../../../kernel/tenancy.ts'
import { discussionKey, formerWatchersKey } from '../../../platform/store/keys/comments.ts'
import type { StoredRecord } from '../../../platform/store/rows/record-row.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Table } from '../../../tables/tables/service.ts'
import { readMergedDiscussions } from '../commented-record.ts'
import { readPeople } from '../rows/discussion-row.ts'
import { watchersOf } from './watchers-of.ts'

/**
 * Who watches a record; of one that was deleted within a day, who watched it. `former`: users who were in its fields
 * before its last change, and are among them unless they stopped.
 */
export async function watcherIds(
  store: Pick<Store, 'get' | 'getMany'>,
  tenant: TenantRef,
  table: Pick<Table, 'name' | 'table_fields'>,
  record: StoredRecord,
  former: readonly number[],
): Promise<number[]> {
  // One after the other: the delete replaces the first by the second at once.
  const discussion =
    (await store.get(tenant, discussionKey(tenant, table.name, record.id))) ??
    (await store.get(tenant, formerWatchersKey(tenant, table.name, record.id)))
  const people = readPeople(discussion)
  const { mergedFrom = [] } = record
  const merged =
    mergedFrom.length === 0
      ? []
      : await readMergedDiscussions(store, tenant, table, { merged_from: mergedFrom.join(' ') })
  const watching = watchersOf(table, record, people, { seesInternal: true }, merged).keys()
  return [...new Set([...watching, ...former.filter((id) => id !== 0 && !people.muted.includes(id))])]
}
