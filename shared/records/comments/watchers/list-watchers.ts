import { namesOf } from '../../../accounts/people/user.ts'
import { permittedFields } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { type CommentedRecord, type PreloadedRows, readCommentedRecord, type RecordRef } from '../commented-record.ts'
import type { CommentDependencies } from '../dependencies.ts'
import type { WatcherAnswer } from '../schema.ts'
import { watchersOf } from './watchers-of.ts'

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
