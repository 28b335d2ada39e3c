import { NotFound } from '../../kernel/failures/faults.ts'
import { mergedRecord } from '../../kernel/failures/merged-record.ts'
import { permissionMissing } from '../../kernel/failures/permission-missing.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { discussionKey } from '../../platform/store/keys/comments.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { readMergedRecords } from '../../platform/store/ranges/merged-records.ts'
import { readRecord, type StoredRecord } from '../../platform/store/rows/record-row.ts'
import type { NamedFields } from '../../platform/store/rows/stored-names.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { and, exists, isUndeleted, lacks } from '../../platform/store/writes/conditions.ts'
import type { Table } from '../../tables/tables/table.ts'
import type { CommentDependencies } from './dependencies.ts'
import { type Discussion, readDiscussion } from './rows/discussion-row.ts'

/** A record: its table's name and its id. */
export interface RecordRef {
  readonly model: string
  readonly id: number
}

/** The rows of a record and of its discussion, where they were read with the caller. */
export type PreloadedRows = readonly (Item | null | undefined)[]

/** A record that was merged into another, with its discussion. */
export interface MergedRecord {
  readonly record: StoredRecord
  readonly discussion: Discussion
}

/** A record that a viewer may read, with its discussion. */
export interface CommentedRecord {
  readonly item: Item
  readonly record: StoredRecord
  readonly discussion: Discussion
  /** The records that were merged into it: their comments and watchers are its own meanwhile. */
  readonly merged: readonly MergedRecord[]
  /** Whether the viewer reads its internal comments. */
  readonly seesInternal: boolean
}

/** The keys of the rows that `readCommentedRecord` takes. */
export const commentedRecordKeys = (tenant: TenantRef, { model, id }: RecordRef) =>
  [recordKey(tenant, model, id), discussionKey(tenant, model, id)] as const

/** Reads a record and its discussion. Throws NotFound when the viewer may not read it. */
export async function readCommentedRecord(
  {
    store,
    tables,
    access,
  }: Pick<CommentDependencies, 'tables' | 'access'> & { readonly store: Pick<Store, 'getMany'> },
  viewer: Viewer,
  { model, id }: RecordRef,
  preloaded?: PreloadedRows,
): Promise<CommentedRecord> {
  const { tenant } = viewer
  const table = await tables.require(tenant, model)
  const [item, row] = preloaded ?? (await store.getMany(tenant, commentedRecordKeys(tenant, { model, id })))
  await access.require(viewer, model, id, 'read', item)
  return {
    item: item as Item,
    record: readRecord(item, table) as StoredRecord,
    discussion: readDiscussion(row),
    merged: await readMergedDiscussions(store, tenant, table, item),
    seesInternal: seesInternalOn(viewer, model),
  }
}

/** The records that were merged into a record, with their discussions. */
export async function readMergedDiscussions(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  table: Pick<Table, 'name'> & NamedFields,
  item: Item | null | undefined,
): Promise<MergedRecord[]> {
  const items = await readMergedRecords(store, tenant, table.name, item)
  if (items.length === 0) return []
  const records = items.map((one) => readRecord(one, table) as StoredRecord)
  const rows = await store.getMany(
    tenant,
    records.map(({ id }) => discussionKey(tenant, table.name, id)),
  )
  return records.map((record, index) => ({ record, discussion: readDiscussion(rows[index]) }))
}

/** The ids of the records whose comments are those of a record: its own, and those merged into it. */
export const homesOf = ({ record, merged }: Pick<CommentedRecord, 'record' | 'merged'>): number[] => [
  record.id,
  ...merged.map((one) => one.record.id),
]

/** The discussion that a comment is counted in: that of the record it was written on. */
export const discussionAt = ({ discussion, merged }: CommentedRecord, recordId: number): Discussion =>
  merged.find(({ record }) => record.id === recordId)?.discussion ?? discussion

/** Throws Conflict for a record that was merged into another: its comments and watchers are there. */
export function requireUnmerged({ model }: RecordRef, { record: { id, mergedInto } }: CommentedRecord): void {
  if (mergedInto !== undefined) throw mergedRecord(model, id, mergedInto)
}

/** Whether somebody who may read a record of a table reads its internal comments. */
export const seesInternalOn = (viewer: Pick<Viewer, 'isAdministrator' | 'permissions'>, model: string): boolean =>
  mayOnTable(viewer, model, 'comment_internal')

/** Throws Forbidden when the viewer may not write comments of this kind on records of a table. */
export function requireMayWrite(viewer: Viewer, model: string, isInternal: boolean): void {
  const action = isInternal ? 'comment_internal' : 'comment'
  if (!mayOnTable(viewer, model, action)) throw permissionMissing(model, action)
}

/** The step of a transaction that refuses it when the record is being deleted, or was merged into another. */
export const recordLives = (tenant: TenantRef, { model, id }: RecordRef): Step => ({
  write: { check: recordKey(tenant, model, id), if: and(exists, isUndeleted) },
  refused: () => new NotFound('record', { model, id }),
})

/** The same for one that may be merged: what belongs to its requester stays its own. */
export const recordRemains = (tenant: TenantRef, { model, id }: RecordRef): Step => ({
  write: { check: recordKey(tenant, model, id), if: and(exists, lacks('deleted_at')) },
  refused: () => new NotFound('record', { model, id }),
})
