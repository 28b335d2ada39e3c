import { Invalid } from '../../kernel/faults.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { readJson } from '../json-attribute.ts'
import type { Key } from '../keys/key.ts'
import { recordKey, removalDueKey } from '../keys/records.ts'
import type { Item } from '../marshal.ts'
import { createdAtSlot, createdBySlot, dueEntry, recordSlotEntry, updatedAtSlot, type IndexedValue } from '../slots.ts'

/*
 * The row of a record. It is here and not in the slice `records`, because the slices below that one read it as well: lists,
 * row rules, search and history.
 */

export type RecordData = Readonly<Record<string, unknown>>

/** A record's row without its fields. */
export interface RecordHead {
  readonly id: number
  readonly tenant_id: number
  readonly created_by: number
  readonly updated_by: number
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
}

/** A record as it stands in the store: `data` also holds values of retired fields. */
export interface StoredRecord extends RecordHead {
  readonly data: RecordData
  /** Set once a delete has begun: from then on the record is invisible. */
  readonly deletedAt?: string
  readonly deletedBy?: number
}

/** What the row says of the write that made this version. */
export interface RecordWrite {
  readonly tenantId: number
  readonly model: string
  readonly id: number
  readonly version: number
  /** Who wrote it, and when: for a record whose delete has begun, who deleted it. */
  readonly userId: number
  readonly at: string
  readonly isDelete: boolean
  readonly impersonatorId?: number
  readonly source?: string
  readonly hops?: number
}

/** As much of a table as its records' rows depend on. */
export interface RecordTable {
  readonly name: string
  readonly writtenSlots: readonly { readonly field: string; readonly slot: number }[]
  readonly has_processes?: true
}

/** As much of whoever writes a record as its row keeps. */
export type RecordWriter = Principal & {
  /** How many steps of processes led to the write since a user, or a timer, did anything. */
  readonly hops?: number
}

/** A record of 350 KB leaves room for keys, slots and attribute names under DynamoDB's 400 KB. */
const maxDataBytes = 350 * 1024

/** Reads a stored item; undefined when there is none. */
export function readRecord(item: Item | null | undefined): StoredRecord | undefined {
  if (!item) return undefined
  return {
    id: Number(item.sk),
    tenant_id: Number(item.tenant_id),
    created_by: Number(item.created_by),
    updated_by: Number(item.updated_by),
    created_at: String(item.created_at),
    updated_at: String(item.updated_at),
    version: Number(item.version),
    data: readRecordData(item),
    ...(item.deleted_at !== undefined && { deletedAt: String(item.deleted_at), deletedBy: Number(item.deleted_by) }),
  }
}

/** The same, but a record whose delete has begun does not exist any more. */
export function readLivingRecord(item: Item | null | undefined): StoredRecord | undefined {
  return isLiving(item) ? readRecord(item) : undefined
}

/** Whether there is such a record, and its delete has not begun. */
export const isLiving = (item: Item | null | undefined): item is Item =>
  item !== undefined && item !== null && item.deleted_at === undefined

/** Everything but the fields, which are parsed only where they are needed. */
export const readRecordHead = (item: Item): RecordHead => ({
  id: Number(item.sk),
  tenant_id: Number(item.tenant_id),
  created_by: Number(item.created_by),
  updated_by: Number(item.updated_by),
  created_at: String(item.created_at),
  updated_at: String(item.updated_at),
  version: Number(item.version),
})

/** The fields, retired ones included. */
export const readRecordData = (item: Item): RecordData => readJson<RecordData>(item, 'data')

/** How many characters the fields take as JSON. */
export const recordDataText = (item: Item): string => String(item.data)

/** The write that made the row what it is, from the row or its stream image. */
export function readRecordWrite(item: Item): RecordWrite {
  const isDelete = item.deleted_at !== undefined
  return {
    tenantId: Number(item.tenant_id),
    model: String(item.model),
    id: Number(item.sk),
    version: Number(item.version),
    userId: Number(isDelete ? item.deleted_by : item.updated_by),
    at: String(isDelete ? item.deleted_at : item.updated_at),
    isDelete,
    ...(item.impersonator_id !== undefined && { impersonatorId: Number(item.impersonator_id) }),
    ...(item.source !== undefined && { source: String(item.source) }),
    ...(item.hops !== undefined && { hops: Number(item.hops) }),
  }
}

/** The mark of after hooks that still have to run, as text: `readPendingHooks` of the slice `records` reads it. */
export const readAfterDue = (item: Item | null | undefined): string | undefined => item?.after_due as string | undefined

/** How often the removal of a record was queued: each time raises it, so that the change feed announces the row again. */
export const readRemovalRound = (item: Item): number => Number(item.removal_round ?? 0)

/** The attributes that put a record into every slot its table assigns. */
export function recordSlots(tenant: TenantRef, table: RecordTable, record: StoredRecord): Record<string, string> {
  const { id } = record
  const slots: Record<string, string> = {
    ...recordSlotEntry(createdBySlot, tenant, table.name, 'created_by', record.created_by, id),
    ...recordSlotEntry(updatedAtSlot, tenant, table.name, 'updated_at', record.updated_at, id),
    ...recordSlotEntry(createdAtSlot, tenant, table.name, 'created_at', record.created_at, id),
  }
  for (const { field, slot } of table.writtenSlots) {
    Object.assign(slots, recordSlotEntry(slot, tenant, table.name, field, record.data[field] as IndexedValue, id))
  }
  return slots
}

/** The item of a living record with an entry in every slot. `writeId` makes a repeat of the write harmless. */
export const recordItem = (
  table: RecordTable,
  record: StoredRecord,
  author: RecordWriter,
  writeId: string,
): Item & Key => ({
  ...commonAttributes(table, record, author, writeId),
  ...recordSlots(author.tenant, table, record),
})

/** The item of a record whose delete has begun: out of every index, and due for the sweeper should the delete not finish. */
export function markedItem(
  table: RecordTable,
  record: StoredRecord & { readonly deletedAt: string; readonly deletedBy: number; readonly afterDue?: string },
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
    ...(removal.queued && { removal: 'queued', removal_round: removal.round }),
    ...dueEntry(removalDueKey(removal.dueAt, tenant, table.name, record.id)),
  }
}

function commonAttributes(table: RecordTable, record: StoredRecord, author: RecordWriter, writeId: string): Item & Key {
  const data = JSON.stringify(record.data)
  if (data.length > maxDataBytes / 4 && Buffer.byteLength(data) > maxDataBytes) {
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
    write_id: writeId,
    ...(author.impersonatorId !== undefined && { impersonator_id: author.impersonatorId }),
    ...(author.source !== undefined && { source: author.source }),
    ...(author.hops !== undefined && { hops: author.hops }),
    ...(table.has_processes && { processes: true }),
  }
}
