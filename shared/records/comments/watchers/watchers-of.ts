import type { StoredRecord } from '../../../platform/store/rows/record-row.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { MergedRecord } from '../commented-record.ts'
import type { People } from '../rows/discussion-row.ts'
import type { WatchReason } from '../schema.ts'

/**
 * Who watches a record, and why: its creator, the users in its fields, who has commented, and who was added; without
 * those who do not want to. Nothing is stored for the first three, so no write of a record costs more for it.
 * Those of records that were merged into it watch it, too, unless they stopped watching one on the way. `readable`: the fields
 * that a viewer may read; undefined: all. `seesInternal`: with those who wrote internal comments only.
 */
export function watchersOf(
  table: Pick<Table, 'table_fields'>,
  record: StoredRecord,
  discussion: People,
  seen: { readonly readable?: ReadonlySet<string>; readonly seesInternal: boolean },
  merged: readonly MergedRecord[] = [],
): Map<number, WatchReason[]> {
  const watchers = ownWatchers(table, record, discussion, seen)
  const mutedAt = new Map([[record.id, discussion.muted]])
  // The nearest come first.
  for (const { record: other, discussion: of } of merged) {
    const muted = [...(mutedAt.get(other.mergedInto ?? record.id) ?? discussion.muted), ...of.muted]
    mutedAt.set(other.id, muted)
    for (const [id, reasons] of ownWatchers(table, other, of, seen))
      if (!muted.includes(id)) watchers.set(id, [...new Set([...(watchers.get(id) ?? []), ...reasons])])
  }
  return watchers
}

function ownWatchers(
  table: Pick<Table, 'table_fields'>,
  record: StoredRecord,
  discussion: People,
  seen: { readonly readable?: ReadonlySet<string>; readonly seesInternal: boolean },
): Map<number, WatchReason[]> {
  const assignees = table.table_fields
    .filter((field) => typeOfField(field).refersToPeople && (seen.readable?.has(field.name) ?? true))
    .map(({ name }) => record.data[name])
    .filter((id) => typeof id === 'number')
  const commenters = seen.seesInternal
    ? [...discussion.commenters, ...discussion.internalCommenters]
    : discussion.commenters
  const watchers = new Map<number, WatchReason[]>()
  const add = (reason: WatchReason, ids: Iterable<number>): void => {
    for (const id of new Set(ids)) {
      // 0 is the service itself.
      if (id === 0 || discussion.muted.includes(id)) continue
      watchers.set(id, [...(watchers.get(id) ?? []), reason])
    }
  }
  add('added', discussion.added)
  add('creator', [record.created_by])
  add('assignee', assignees)
  add('commenter', commenters)
  return watchers
}
