import { Invalid } from '../kernel/faults.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import type { Key } from '../store/keys/key.ts'
import { recordKey, removalDueKey } from '../store/keys/records.ts'
import type { Item } from '../store/marshal.ts'
import {
  createdAtSlot,
  createdBySlot,
  dueEntry,
  type IndexedValue,
  recordSlotEntry,
  updatedAtSlot,
} from '../store/slots.ts'
import type { Table } from '../tables/service.ts'
import type { RecordWriter } from './actor.ts'
import type { EntityRecord } from './schema.ts'

export type RecordData = Readonly<Record<string, unknown>>

/** A record as it stands in the store: `data` also holds values of retired fields. */
export interface StoredRecord extends Omit<EntityRecord, 'data'> {
  readonly data: RecordData
  /** Set once a delete has begun: from then on the record is invisible. */
  readonly deletedAt?: string
  readonly deletedBy?: number
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
    data: JSON.parse(String(item.data)) as RecordData,
    ...(item.deleted_at !== undefined && { deletedAt: String(item.deleted_at), deletedBy: Number(item.deleted_by) }),
  }
}

/** The same, but a record whose delete has begun does not exist any more. */
export function readLivingRecord(item: Item | null | undefined): StoredRecord | undefined {
  return item && item.deleted_at === undefined ? readRecord(item) : undefined
}

/** The record, or, when `item` is a later version of it that still lives, that. */
export function newerOf(record: StoredRecord, item: Item | undefined): StoredRecord {
  const current = item?.kind === 'record' ? readLivingRecord(item) : undefined
  return current && current.version > record.version ? current : record
}

/** The fields as readers see them: values of retired ones stay out. */
export const visibleData = (table: Table, data: RecordData): Record<string, unknown> =>
  table.retired.length === 0
    ? { ...data }
    : Object.fromEntries(Object.entries(data).filter(([name]) => table.fieldsByName.has(name)))

/** The record as readers see it. */
export function answerRecord(table: Table, record: StoredRecord): EntityRecord {
  return {
    id: record.id,
    tenant_id: record.tenant_id,
    created_by: record.created_by,
    updated_by: record.updated_by,
    created_at: record.created_at,
    updated_at: record.updated_at,
    version: record.version,
    data: visibleData(table, record.data),
  }
}

/** The attributes that put a record into every slot its table assigns. */
export function recordSlots(tenant: TenantRef, table: Table, record: StoredRecord): Record<string, string> {
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
export const recordItem = (table: Table, record: StoredRecord, actor: RecordWriter, writeId: string): Item & Key => ({
  ...commonAttributes(table, record, actor, writeId),
  ...recordSlots(actor.tenant, table, record),
})

/** The item of a record whose delete has begun: out of every index, and due for the sweeper should the delete not finish. */
export function markedItem(
  table: Table,
  record: StoredRecord & { readonly deletedAt: string; readonly deletedBy: number; readonly afterDue?: string },
  actor: RecordWriter,
  writeId: string,
  removal: { dueAt: string; queued: boolean; round: number },
): Item & Key {
  const { tenant } = actor
  return {
    ...commonAttributes(table, record, actor, writeId),
    deleted_at: record.deletedAt,
    deleted_by: record.deletedBy,
    ...(record.afterDue !== undefined && { after_due: record.afterDue }),
    ...(removal.queued && { removal: 'queued', removal_round: removal.round }),
    ...dueEntry(removalDueKey(removal.dueAt, tenant, table.name, record.id)),
  }
}

function commonAttributes(table: Table, record: StoredRecord, actor: RecordWriter, writeId: string): Item & Key {
  const data = JSON.stringify(record.data)
  if (data.length > maxDataBytes / 4 && Buffer.byteLength(data) > maxDataBytes) {
    throw new Invalid({ data: ['The record may not be larger than 350 KB.'] }, { code: 'record_too_large' })
  }
  return {
    ...recordKey(actor.tenant, table.name, record.id),
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
    ...(actor.impersonatorId !== undefined && { impersonator_id: actor.impersonatorId }),
    ...(actor.source !== undefined && { source: actor.source }),
    ...(actor.hops !== undefined && { hops: actor.hops }),
    ...(table.has_processes && { processes: true }),
  }
}
