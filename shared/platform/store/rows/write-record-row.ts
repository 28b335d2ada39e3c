import { Invalid } from '../../../kernel/failures/faults.ts'
import { maxRecordBytes } from '../../../kernel/limits/records.ts'
import type { Principal } from '../../../kernel/principal.ts'
import type { Key } from '../keys/key.ts'
import { cleanupDueKey, recordKey } from '../keys/records.ts'
import { changeEntry, dueEntry } from '../slots.ts'
import type { Item } from '../values/marshal.ts'
import { conversationAttribute } from './conversation-state.ts'
import type { RecordData, StoredRecord } from './record-row.ts'
import { type NamedFields, withStoredNames } from './stored-names.ts'
import type { RolledUpBy } from './touched-rollups.ts'

/** The part of a table that the rows of its records depend on. */
export interface RecordTable extends NamedFields {
  readonly name: string
  readonly has_processes?: true
  readonly has_subscriptions?: true
  /** The fields by which its records count in rollups, and the tables that have these. */
  readonly rolled_up_by?: readonly RolledUpBy[]
  /** Fields that no column holds, by their stored names. */
  readonly opaqueFields?: readonly string[]
}

/** The part of an actor that a record's row stores. */
export type RecordWriter = Principal & {
  /** How many process steps led to this write since the last action of a user or a timer. */
  readonly hops?: number
  /** Subscriptions are not told of the version. */
  readonly skipsNotifications?: true
  /** Processes are not told of the version. */
  readonly skipsProcesses?: true
  /** The batch that the write belongs to. */
  readonly batchId?: number
  /** The record that comments and messages leave by this write, or for which they leave. */
  readonly split?: { readonly from: number } | { readonly into: number }
}

/** The fields of a record as the JSON that its row has. */
export const writeRecordData = (table: NamedFields, data: RecordData): string =>
  JSON.stringify(withStoredNames(table, data))

/**
 * The attribute of a record's row that has the people who watch the record told of its new version. The next version is
 * written without it.
 */
export const toldToWatchers = { watched: true } as const

/**
 * The attribute of a record that is deleted or merged, and that records may refer to of which the index does not tell yet:
 * the change feed has its references looked at again, twice (docs/decisions/0115).
 */
export const lookedAtAgain = { look_again: true } as const

/**
 * The attribute of a new record's row whose writer appends it to the column log itself. The change feed does not, then.
 * The next version is written without it.
 */
export const loggedByWriter = { logged: true } as const

/**
 * The row of a living record, or of one that was merged into another. The write is idempotent by `writeId`. `writtenAt`: when
 * it is written, for a record that was made and changed by others in another system, before.
 */
export const recordItem = (
  table: RecordTable,
  record: StoredRecord,
  author: RecordWriter,
  writeId: string,
  writtenAt?: string,
): Item & Key => ({
  ...commonAttributes(table, record, author, writeId),
  ...(writtenAt !== undefined && { written_at: writtenAt, written_by: author.userId }),
  ...changeEntry(author.tenant, table.name, {
    at: writtenAt ?? record.updated_at,
    id: record.id,
    version: record.version,
    isGone: record.mergedInto !== undefined,
  }),
})

/** What its delete notes of a record for its return. */
export interface BeforeDelete {
  /** The first of the versions since which it is the same, but for deletes and returns. */
  readonly sameSince?: number
  /** The process instances that the delete cancels. */
  readonly cancels?: readonly number[]
}

/** The attributes of that on the record's row and on its tombstone. */
export const beforeDelete = ({ sameSince, cancels = [] }: BeforeDelete): Item => ({
  ...(sameSince !== undefined && { same_since: sameSince }),
  ...(cancels.length > 0 && { cancels: cancels.join(' ') }),
})

export const readBeforeDelete = (item: Item): BeforeDelete => ({
  ...(item.same_since !== undefined && { sameSince: Number(item.same_since) }),
  ...(typeof item.cancels === 'string' && { cancels: item.cancels.split(' ').map(Number) }),
})

/** The row of a record that is being deleted. In the due slot the sweeper finds it if the delete stops. */
export function markedItem(
  table: RecordTable,
  record: StoredRecord & {
    readonly deletedAt: string
    readonly deletedBy: number
    readonly afterDue?: string
  } & BeforeDelete,
  author: RecordWriter,
  writeId: string,
  removal: { dueAt: string; queued: boolean; round: number },
): Item & Key {
  const { tenant } = author
  return {
    ...commonAttributes(table, record, author, writeId),
    deleted_at: record.deletedAt,
    deleted_by: record.deletedBy,
    ...(record.afterDue !== undefined && { after_due: record.afterDue }),
    ...beforeDelete(record),
    ...(removal.queued && { removal: 'queued', removal_round: removal.round }),
    ...changeEntry(tenant, table.name, {
      at: record.deletedAt,
      id: record.id,
      version: record.version,
      isGone: true,
    }),
    ...dueEntry(cleanupDueKey(removal.dueAt, tenant, table.name, record.id)),
  }
}

function commonAttributes(table: RecordTable, record: StoredRecord, author: RecordWriter, writeId: string): Item & Key {
  const data = writeRecordData(table, record.data)
  if (data.length > maxRecordBytes / 4 && Buffer.byteLength(data) > maxRecordBytes) {
    throw new Invalid({ data: ['The record may not be larger than 350 KB.'] }, { code: 'record_too_large' })
  }
  return {
    ...recordKey(author.tenant, table.name, record.id),
    kind: 'record',
    v: 1,
    feed: 'record',
    tenant_id: record.tenant_id,
    model: table.name,
    version: record.version,
    created_by: record.created_by,
    updated_by: record.updated_by,
    created_at: record.created_at,
    updated_at: record.updated_at,
    data,
    ...conversationAttribute(record.conversation),
    write_id: writeId,
    ...(author.impersonatorId !== undefined && { impersonator_id: author.impersonatorId }),
    ...(author.source !== undefined && { source: author.source }),
    ...(author.hops !== undefined && { hops: author.hops }),
    ...(author.batchId !== undefined && { batch_id: author.batchId }),
    ...(author.split && { split: JSON.stringify(author.split) }),
    ...(record.mergedInto !== undefined && { merged_into: record.mergedInto }),
    ...(record.mergedFrom && record.mergedFrom.length > 0 && { merged_from: record.mergedFrom.join(' ') }),
    ...(record.unmergedBy !== undefined && { unmerged_by: record.unmergedBy }),
    ...(table.opaqueFields && { opaque: table.opaqueFields }),
    ...(table.has_processes && !author.skipsProcesses && { processes: true }),
    ...(table.has_subscriptions && !author.skipsNotifications && { subscriptions: true }),
  }
}
