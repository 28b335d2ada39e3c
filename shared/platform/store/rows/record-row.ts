import { readJson } from '../values/json-attribute.ts'
import type { Item } from '../values/marshal.ts'
import { type ConversationParts, readConversation } from './conversation-state.ts'
import { type NamedFields, withNames } from './stored-names.ts'

/*
 * What a record's row says; `write-record-row.ts` makes it. It is not in the slice `records`, because lower slices read the row
 * as well: lists, row rules, search and history.
 */

export type RecordData = Readonly<Record<string, unknown>>

/** A record without its fields. */
export interface RecordHead {
  readonly id: number
  readonly tenant_id: number
  readonly created_by: number
  readonly updated_by: number
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
  /** The conversations with its customers, where it has any. */
  readonly conversation?: ConversationParts
}

/** A record as stored: `data` also has the values of retired fields. */
export interface StoredRecord extends RecordHead {
  readonly data: RecordData
  /** Set when a delete begins; the record is invisible from then on. */
  readonly deletedAt?: string
  readonly deletedBy?: number
  /** The record that it was merged into; it is in no list from then on, and nobody writes it. */
  readonly mergedInto?: number
  /** The records that were merged into it, the last at the end. */
  readonly mergedFrom?: readonly number[]
  /** The batch that made it one of its own again, after a merge. */
  readonly unmergedBy?: number
}

/** The write that made the current version of a record. */
export interface RecordWrite {
  readonly tenantId: number
  readonly model: string
  readonly id: number
  readonly version: number
  /** Who wrote it, and `at` which time; for a record that is being deleted, who deleted it. */
  readonly userId: number
  readonly at: string
  readonly isDelete: boolean
  readonly impersonatorId?: number
  readonly source?: string
  readonly hops?: number
  readonly batchId?: number
  /** The people who watch the record are notified. */
  readonly isToldToWatchers: boolean
}

/** Reads a record's row, by the names of its table's fields; undefined when there is none. */
export function readRecord(item: Item | null | undefined, table: NamedFields): StoredRecord | undefined {
  if (!item) return undefined
  return {
    id: Number(item.sk),
    tenant_id: Number(item.tenant_id),
    created_by: Number(item.created_by),
    updated_by: Number(item.updated_by),
    created_at: String(item.created_at),
    updated_at: String(item.updated_at),
    version: Number(item.version),
    data: readRecordData(item, table),
    ...headConversation(item),
    ...(item.deleted_at !== undefined && { deletedAt: String(item.deleted_at), deletedBy: Number(item.deleted_by) }),
    ...(item.merged_into !== undefined && { mergedInto: Number(item.merged_into) }),
    ...(item.merged_from !== undefined && { mergedFrom: readMergedFrom(item) }),
    ...(item.unmerged_by !== undefined && { unmergedBy: Number(item.unmerged_by) }),
  }
}

/** The record that a record was merged into; undefined for any other, also while it is being deleted. */
export const readMergedInto = (item: Item | null | undefined): number | undefined =>
  item?.merged_into === undefined || item.deleted_at !== undefined ? undefined : Number(item.merged_into)

/** The records that were merged into a record. */
export const readMergedFrom = (item: Item): readonly number[] =>
  typeof item.merged_from === 'string' ? item.merged_from.split(' ').map(Number) : []

/** The batch that unmerged a record; undefined for one that never was merged, or is now. */
export const readUnmergedBy = (item: Item): number | undefined =>
  item.unmerged_by === undefined ? undefined : Number(item.unmerged_by)

/** The version of the record that a merged one became part of, which the merge made. */
export const readSurvivorVersion = (item: Item): number => Number(item.survivor_version)

/** A merged record as if it were a living one, so that rules can judge it. */
export const asUnmerged = (item: Item): Item => ({ ...item, merged_into: undefined })

/** The same, but undefined for a record that is being deleted, or was merged into another. */
export function readLivingRecord(item: Item | null | undefined, table: NamedFields): StoredRecord | undefined {
  return isLiving(item) ? readRecord(item, table) : undefined
}

/** Whether the record exists, is not being deleted, and was not merged into another. */
export const isLiving = (item: Item | null | undefined): item is Item =>
  item !== undefined && item !== null && item.deleted_at === undefined && item.merged_into === undefined

/** The attributes of a record's row that tell whether it lives. */
export const livingAttributes = ['pk', 'sk', 'deleted_at', 'merged_into'] as const

/** Reads a record's row without parsing its fields. */
export const readRecordHead = (item: Item): RecordHead => ({
  id: Number(item.sk),
  tenant_id: Number(item.tenant_id),
  created_by: Number(item.created_by),
  updated_by: Number(item.updated_by),
  created_at: String(item.created_at),
  updated_at: String(item.updated_at),
  version: Number(item.version),
  ...headConversation(item),
})

function headConversation(item: Item): Pick<RecordHead, 'conversation'> {
  const conversation = readConversation(item)
  return conversation ? { conversation } : {}
}

/** The fields of a record, retired ones included. */
export const readRecordData = (item: Item, table: NamedFields): RecordData =>
  withNames(table, readJson<RecordData>(item, 'data'))

/** The stored names of a record's fields that no column holds. */
export const readOpaqueFields = (item: Item): readonly string[] | undefined => item.opaque as string[] | undefined

/** The fields of a record as JSON text, to measure them. */
export const recordDataText = (item: Item): string => String(item.data)

/** Reads the latest write of a record from its row or its stream image. */
export function readRecordWrite(item: Item): RecordWrite {
  const isDelete = item.deleted_at !== undefined
  return {
    tenantId: Number(item.tenant_id),
    model: String(item.model),
    id: Number(item.sk),
    version: Number(item.version),
    userId: Number(
      isDelete ? item.deleted_by : item.derived_at === undefined ? (item.written_by ?? item.updated_by) : 0,
    ),
    at: String(isDelete ? item.deleted_at : readChangedAt(item)),
    isDelete,
    isToldToWatchers: item.watched === true,
    ...(item.impersonator_id !== undefined && { impersonatorId: Number(item.impersonator_id) }),
    ...(item.source !== undefined && { source: String(item.source) }),
    ...(item.hops !== undefined && { hops: Number(item.hops) }),
    ...(item.batch_id !== undefined && { batchId: Number(item.batch_id) }),
  }
}

/**
 * When the current version of a record was written: later than `updated_at` when it only brought derived values, or the
 * record comes from another system.
 */
export const readChangedAt = (item: Item): string => String(item.derived_at ?? item.written_at ?? item.updated_at)

/**
 * The version that an `If-Match` has to name, at least: later ones up to the current version only brought derived values
 * up to date, which no writer changes.
 */
export const readEditedVersion = (item: Item): number => Number(item.edited_version ?? item.version)

/** The pending hooks as text, which `readPendingHooks` in `shared/records/records` parses. */
export const readAfterDue = (item: Item | null | undefined): string | undefined => item?.after_due as string | undefined

/**
 * How often the cleanup of a record was queued. Each time raises it, so that the change feed delivers the row again.
 */
export const readRemovalRound = (item: Item): number => Number(item.removal_round ?? 0)
