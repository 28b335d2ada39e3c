import { namesOf } from '../../../accounts/people/user.ts'
import { permittedFields } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { discussionKey } from '../../../platform/store/keys/comments.ts'
import type { StoredRecord } from '../../../platform/store/rows/record-row.ts'
import type { NamedFields } from '../../../platform/store/rows/stored-names.ts'
import type { Store } from '../../../platform/store/store.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'
import {
  type CommentedRecord,
  type MergedRecord,
  type PreloadedRows,
  readCommentedRecord,
  readMergedDiscussions,
  type RecordRef,
} from '../commented-record.ts'
import type { CommentDependencies } from '../dependencies.ts'
import { type People, readPeople } from '../rows/discussion-row.ts'
import type { WatcherAnswer, WatchReason } from '../schema.ts'

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

/** Who watches a record, as far as the caller may know. Throws NotFound when the caller may not read it. */
export async function listWatchers(
  comments: CommentDependencies,
  caller: Caller,
  ref: RecordRef,
  preloaded?: PreloadedRows,
): Promise<WatcherAnswer> {
  return describeWatchers(comments, caller, ref, await readCommentedRecord(comments, caller, ref, preloaded))
}

/** The watchers of a record that was read, with their current names. */
export async function describeWatchers(
  { store, tables }: CommentDependencies,
  caller: Caller,
  { model }: RecordRef,
  { record, discussion, merged, seesInternal }: CommentedRecord,
): Promise<WatcherAnswer> {
  if (record.mergedInto !== undefined) return { watchers: [], is_watching: false }
  const table = await tables.require(caller.tenant, model)
  const readable = permittedFields(caller, model, 'read')
  const seen = watchersOf(table, record, discussion, { ...(readable && { readable }), seesInternal }, merged)
  const names = await namesOf(store, caller.tenant, seen.keys())
  return {
    watchers: [...seen].map(([id, reasons]) => ({ id, name: names.get(id) ?? 'Unknown user', reasons })),
    is_watching: watchersOf(table, record, discussion, { seesInternal: true }, merged).has(caller.userId),
  }
}
