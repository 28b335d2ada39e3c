import { Invalid } from '../faults.ts'
import { recordKey, removalDuePartition, removalDueShards, removalDueSort, type Key } from '../store/keys.ts'
import type { Item } from '../store/marshal.ts'
import { createdBySlot, recordSlotEntry, removalDueSlot, slotEntry, updatedAtSlot, type IndexedValue } from '../store/slots.ts'
import type { Table } from '../tables/table.ts'
import type { Actor } from './deps.ts'
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

/** The record as readers see it: values of retired fields stay out. */
export function answerRecord(table: Table, record: StoredRecord): EntityRecord {
  const data =
    table.retired.length === 0 ? { ...record.data } : Object.fromEntries(Object.entries(record.data).filter(([name]) => table.fieldsByName.has(name)))
  return {
    id: record.id,
    tenant_id: record.tenant_id,
    created_by: record.created_by,
    updated_by: record.updated_by,
    created_at: record.created_at,
    updated_at: record.updated_at,
    version: record.version,
    data,
  }
}

/** The item of a living record with an entry in every slot its table assigns. `writeId` makes a repeat of the write harmless. */
export function recordItem(table: Table, record: StoredRecord, actor: Actor, writeId: string): Item & Key {
  const { tenant } = actor
  const { id } = record
  const slots: Record<string, string> = {
    ...recordSlotEntry(createdBySlot, tenant, table.name, 'created_by', record.created_by, id),
    ...recordSlotEntry(updatedAtSlot, tenant, table.name, 'updated_at', record.updated_at, id),
  }
  for (const { field, slot } of table.slots) {
    Object.assign(slots, recordSlotEntry(slot, tenant, table.name, field, record.data[field] as IndexedValue, id))
  }
  return { ...commonAttributes(table, record, actor, writeId), ...slots }
}

/** The item of a record whose delete has begun: out of every index, and due for the sweeper should the delete not finish. */
export function markedItem(
  table: Table,
  record: StoredRecord & { deletedAt: string; deletedBy: number },
  actor: Actor,
  writeId: string,
  removal: { dueAt: string; queued: boolean; round: number },
): Item & Key {
  const { tenant } = actor
  return {
    ...commonAttributes(table, record, actor, writeId),
    deleted_at: record.deletedAt,
    deleted_by: record.deletedBy,
    ...(removal.queued && { removal: 'queued', removal_round: removal.round }),
    ...slotEntry(
      removalDueSlot,
      removalDuePartition(record.id % removalDueShards),
      removalDueSort(removal.dueAt, tenant, table.name, record.id),
    ),
  }
}

function commonAttributes(table: Table, record: StoredRecord, actor: Actor, writeId: string): Item & Key {
  const data = JSON.stringify(record.data)
  if (data.length > maxDataBytes / 4 && Buffer.byteLength(data) > maxDataBytes) {
    throw new Invalid({ data: ['The record may not be larger than 350 KB.'] })
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
  }
}

