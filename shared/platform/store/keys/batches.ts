import type { TenantRef } from '../../../kernel/tenancy.ts'
import { idKey, idText, type Key, tenantPrefix } from './key.ts'

const batchPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}BATCHES`
export const batchKey = (tenant: TenantRef, id: number): Key => idKey(batchPartition(tenant), id)

/** The batches in their slots, by id: all of a tenant, and those of one user. */
export const allBatchesPartition = (tenant: TenantRef): string => `${batchPartition(tenant)}#ALL`
export const batchesOfUserPartition = (tenant: TenantRef, userId: number): string =>
  `${batchPartition(tenant)}#U#${userId}`

interface EntrySort {
  readonly model: string
  readonly id: number
  readonly action: 'create' | 'update' | 'delete'
  readonly isSide?: boolean
}

const ofBatch = (tenant: TenantRef, id: number): string => `${tenantPrefix(tenant)}BATCH#${id}`

/** The records of a batch, in pages. */
export const batchPagesPartition = (tenant: TenantRef, id: number): string => `${ofBatch(tenant, id)}#P`
export const batchPageKey = (tenant: TenantRef, id: number, page: number): Key =>
  idKey(batchPagesPartition(tenant, id), page)

/**
 * What a batch wrote: `own` for the records that it is about, `side` for those whose references it cleared. An undo may
 * bring a record back and then change it, which are two entries.
 */
export const batchEntriesPartition = (tenant: TenantRef, id: number): string => `${ofBatch(tenant, id)}#E`
export const batchEntryKey = (
  tenant: TenantRef,
  batchId: number,
  { model, id, action, isSide = false }: EntrySort,
): Key => ({
  pk: batchEntriesPartition(tenant, batchId),
  sk: `${isSide ? 'side' : 'own'}#${model}#${idText(id)}#${action}`,
})
