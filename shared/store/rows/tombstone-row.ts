import type { TenantRef } from '../../kernel/tenancy.ts'
import { keyOfItem, type Key } from '../keys/key.ts'
import { gonePartition, goneSort, recordIdOf, tombstoneKey } from '../keys/records.ts'
import type { Item } from '../marshal.ts'
import { goneSlot, slotEntry } from '../slots.ts'
import { readRecordData, type RecordData } from './record-row.ts'

/** The row that a deleted record leaves. */
export interface Tombstone {
  readonly id: number
  /** The record's last one, which its delete made. */
  readonly version: number
  readonly created_by: number
  readonly created_at: string
  readonly deletedAt: string
  readonly deletedBy: number
  /** The mark of the after hooks that still have to run, as text; the row keeps the fields for as long. */
  readonly afterDue?: string
}

/** `pending`: the attributes of after hooks that still have to run, which need `data`; undefined when there are none. */
export const tombstoneItem = (
  tenant: TenantRef,
  model: string,
  tombstone: Omit<Tombstone, 'afterDue'> & { readonly data: RecordData },
  pending: Readonly<Record<string, string>> | undefined,
): Item & Key => ({
  ...tombstoneKey(tenant, model, tombstone.id),
  kind: 'tombstone',
  v: 1,
  version: tombstone.version,
  created_by: tombstone.created_by,
  created_at: tombstone.created_at,
  deleted_at: tombstone.deletedAt,
  deleted_by: tombstone.deletedBy,
  ...slotEntry(goneSlot, gonePartition(tenant, model), goneSort(tombstone.deletedAt, tombstone.id)),
  ...(pending && { tenant_id: tenant.id, model, data: JSON.stringify(tombstone.data), ...pending }),
})

export const readTombstone = (item: Item): Tombstone => ({
  id: recordIdOf(keyOfItem(item)),
  version: Number(item.version),
  created_by: Number(item.created_by),
  created_at: String(item.created_at),
  deletedAt: String(item.deleted_at),
  deletedBy: Number(item.deleted_by),
  ...(item.after_due !== undefined && { afterDue: String(item.after_due) }),
})

/** What a record's row, or the tombstone it left, says of its latest version. */
export interface LatestVersion {
  readonly version: number
  readonly created_by: number
  readonly created_at: string
  readonly changedAt: string
}

/** Undefined when there is neither row. */
export function readLatest(
  record: Item | null | undefined,
  tombstone: Item | null | undefined,
): LatestVersion | undefined {
  const item = record ?? tombstone
  if (!item) return undefined
  return {
    version: Number(item.version),
    created_by: Number(item.created_by),
    created_at: String(item.created_at),
    changedAt: String(item.deleted_at ?? item.updated_at),
  }
}

/** The id and the fields of a record that lives, or of one whose tombstone still keeps them. */
export const readKeptRecord = (item: Item): { readonly id: number; readonly data: RecordData } => ({
  id: recordIdOf(keyOfItem(item)),
  data: readRecordData(item),
})
