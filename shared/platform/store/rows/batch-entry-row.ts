import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Write } from '../client/write.ts'
import { batchEntryKey } from '../keys/batches.ts'
import type { Item } from '../values/marshal.ts'
import { isNew } from '../writes/conditions.ts'

/** How long a batch, and with it its undo, is kept. */
export const batchKeptSeconds = 90 * 24 * 60 * 60

/** What a batch did to one record: the first version that it made. */
export interface BatchEntry {
  readonly model: string
  readonly id: number
  readonly version: number
  readonly action: 'create' | 'update' | 'delete'
  /** When, in Unix milliseconds. */
  readonly atMs: number
}

const attributes = ({ model, id, version, action, atMs }: BatchEntry): Item => ({
  kind: 'batch_entry',
  v: 1,
  model,
  record_id: id,
  version,
  action,
  at_ms: atMs,
  expires_at: Math.floor(atMs / 1000) + batchKeptSeconds,
})

/** The write that goes with the record's: a repeat of the batch after a crash is refused. */
export const ownEntry = (tenant: TenantRef, batchId: number, entry: BatchEntry): Write => ({
  put: { ...batchEntryKey(tenant, batchId, entry), ...attributes(entry) },
  if: isNew,
})

/** The same for a record whose reference to a deleted one was cleared; its first version stays. */
export const sideEntry = (tenant: TenantRef, batchId: number, entry: BatchEntry): Write => {
  const set = Object.entries(attributes(entry))
  return {
    update: batchEntryKey(tenant, batchId, { ...entry, isSide: true }),
    change: {
      expression: `SET ${set.map(([name]) => `#${name} = if_not_exists(#${name}, :${name})`).join(', ')}`,
      names: Object.fromEntries(set.map(([name]) => [`#${name}`, name])),
      values: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])) as Record<string, string | number>,
    },
  }
}

/** Reads an entry of either kind. */
export const readBatchEntry = (item: Item): BatchEntry => ({
  model: String(item.model),
  id: Number(item.record_id),
  version: Number(item.version),
  action: item.action as BatchEntry['action'],
  atMs: Number(item.at_ms),
})
