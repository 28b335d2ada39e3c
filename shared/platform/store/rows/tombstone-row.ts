import type { TenantRef } from '../../../kernel/tenancy.ts'
import { keyOfItem, type Key } from '../keys/key.ts'
import { recordIdOf, tombstoneKey } from '../keys/records.ts'
import { changeEntry } from '../slots.ts'
import type { Item } from '../values/marshal.ts'
import { readRecordData, type RecordData } from './record-row.ts'
import type { NamedFields } from './stored-names.ts'
import { beforeDelete, type BeforeDelete, readBeforeDelete, writeRecordData } from './write-record-row.ts'

/** The row that a deleted record leaves. */
export interface Tombstone extends BeforeDelete {
  readonly id: number
  /** The record's last version, made by its delete. */
  readonly version: number
  readonly created_by: number
  readonly created_at: string
  readonly deletedAt: string
  readonly deletedBy: number
  /** The batch that deleted it. */
  readonly batchId?: number
  /** The pending hooks as text. While there are any, the row also keeps the record's fields. */
  readonly afterDue?: string
}

/** `pending`: the attributes of pending hooks, which need `data`; undefined when there are none. */
export const tombstoneItem = (
  tenant: TenantRef,
  table: NamedFields & { readonly name: string },
  tombstone: Omit<Tombstone, 'afterDue'> & { readonly data: RecordData },
  pending: Readonly<Record<string, string>> | undefined,
): Item & Key => ({
  ...tombstoneKey(tenant, table.name, tombstone.id),
  kind: 'tombstone',
  v: 1,
  version: tombstone.version,
  created_by: tombstone.created_by,
  created_at: tombstone.created_at,
  deleted_at: tombstone.deletedAt,
  deleted_by: tombstone.deletedBy,
  ...(tombstone.batchId !== undefined && { batch_id: tombstone.batchId }),
  ...beforeDelete(tombstone),
  ...changeEntry(tenant, table.name, {
    at: tombstone.deletedAt,
    id: tombstone.id,
    version: tombstone.version,
    isGone: true,
  }),
  ...(pending && {
    tenant_id: tenant.id,
    model: table.name,
    data: writeRecordData(table, tombstone.data),
    ...pending,
  }),
})

export const readTombstone = (item: Item): Tombstone => ({
  id: recordIdOf(keyOfItem(item)),
  version: Number(item.version),
  created_by: Number(item.created_by),
  created_at: String(item.created_at),
  deletedAt: String(item.deleted_at),
  deletedBy: Number(item.deleted_by),
  ...(item.batch_id !== undefined && { batchId: Number(item.batch_id) }),
  ...readBeforeDelete(item),
  ...(item.after_due !== undefined && { afterDue: String(item.after_due) }),
})

/** The latest version of a record, from its row or its tombstone. */
export interface LatestVersion {
  readonly version: number
  readonly created_by: number
  readonly created_at: string
  readonly changedAt: string
}

/** Reads the latest version; undefined when neither row exists. */
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
    changedAt: String(item.deleted_at ?? item.derived_at ?? item.written_at ?? item.updated_at),
  }
}

/** What is left of a record in its own row and in a tombstone with pending hooks. */
export const readKeptRecord = (
  item: Item,
  table: NamedFields,
): Pick<Tombstone, 'id' | 'created_by' | 'created_at'> & { readonly data: RecordData } => ({
  id: recordIdOf(keyOfItem(item)),
  created_by: Number(item.created_by),
  created_at: String(item.created_at),
  data: readRecordData(item, table),
})
