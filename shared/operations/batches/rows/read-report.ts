import { maxListedOfBatch } from '../../../kernel/limits/imports.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { batchPagesPartition } from '../../../platform/store/keys/batches.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Kept, RecordFailure } from '../schema.ts'
import type { Batch } from './batch-row.ts'
import { type PageReport, readPageReport } from './page-row.ts'

/** What there is to say of the records of a batch: the first failures, and the first that an undo left alone. */
export async function readReport(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  { id, failed, kept }: Pick<Batch, 'id' | 'failed' | 'kept'>,
): Promise<PageReport> {
  const found: { readonly failures: RecordFailure[]; readonly kept: Kept[] } = { failures: [], kept: [] }
  const wanted = { failures: Math.min(failed, maxListedOfBatch), kept: Math.min(kept, maxListedOfBatch) }
  if (wanted.failures + wanted.kept === 0) return found
  for await (const { items } of readPages(store, tenant, { pk: batchPagesPartition(tenant, id) })) {
    for (const item of items) {
      const report = readPageReport(item)
      found.failures.push(...report.failures)
      found.kept.push(...report.kept)
    }
    if (found.failures.length >= wanted.failures && found.kept.length >= wanted.kept) break
  }
  return { failures: found.failures.slice(0, maxListedOfBatch), kept: found.kept.slice(0, maxListedOfBatch) }
}
