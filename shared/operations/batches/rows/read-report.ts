import { maxListedOfBatch } from '../../../kernel/limits/imports.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { batchPagesPartition } from '../../../platform/store/keys/batches.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { BatchCancelled, Kept, RecordFailure, ReturnedRecord } from '../schema.ts'
import type { Batch } from './batch-row.ts'
import { type PageReport, readPageReport } from './page-row.ts'

/** What there is to say of the records of a batch: of each list the first 1,000. */
export async function readReport(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  { id, failed, kept, told = 0 }: Pick<Batch, 'id' | 'failed' | 'kept' | 'told'>,
): Promise<Required<PageReport>> {
  const found = {
    failures: [] as RecordFailure[],
    kept: [] as Kept[],
    cancelled: [] as BatchCancelled[],
    returned: [] as ReturnedRecord[],
  }
  const first = (count: number): number => Math.min(count, maxListedOfBatch)
  const isWhole = (): boolean =>
    found.failures.length >= first(failed) &&
    found.kept.length >= first(kept) &&
    found.cancelled.length + found.returned.length >= first(told)
  if (isWhole()) return found
  for await (const { items } of readPages(store, tenant, { pk: batchPagesPartition(tenant, id) })) {
    for (const item of items) {
      const report = readPageReport(item)
      found.failures.push(...report.failures)
      found.kept.push(...report.kept)
      found.cancelled.push(...(report.cancelled ?? []))
      found.returned.push(...(report.returned ?? []))
    }
    if (isWhole()) break
  }
  return {
    failures: found.failures.slice(0, maxListedOfBatch),
    kept: found.kept.slice(0, maxListedOfBatch),
    cancelled: found.cancelled.slice(0, maxListedOfBatch),
    returned: found.returned.slice(0, maxListedOfBatch),
  }
}

/** The same as members of an answer, without empty lists. */
export const toldMembers = ({ cancelled, returned }: Required<PageReport>) => ({
  ...(cancelled.length > 0 && { cancelled_processes: [...cancelled] }),
  ...(returned.length > 0 && { returned: [...returned] }),
})
