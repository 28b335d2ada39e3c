import type { Principal } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { batchKey } from '../../platform/store/keys/batches.ts'
import { allocateIds } from '../../platform/store/sequence/sequence.ts'
import type { Store, Write } from '../../platform/store/store.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../platform/store/writes/refusals.ts'
import { batchItem, endBatch } from './rows/batch-row.ts'
import { batchSequence } from './start-batch.ts'

interface Dependencies {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
}

/** The batch of an import, whose row goes with the import's progress. The ids of its rows are consecutive. */
export async function prepareImportBatch(
  { store, clock }: Dependencies,
  { tenant, userId }: Principal,
  model: string,
  imported: { readonly firstId: number; readonly total: number },
): Promise<{ readonly id: number; readonly write: Write }> {
  const id = await allocateIds(store, tenant, batchSequence)
  const item = batchItem(tenant, {
    id,
    kind: 'import',
    model,
    status: 'running',
    userId,
    work: { imported },
    matched: imported.total,
    changed: 0,
    unchanged: 0,
    failed: 0,
    kept: 0,
    pages: 0,
    nextPage: 0,
    isDryRun: false,
    createdAt: isoTime(clock.now()),
  })
  return { id, write: { put: item, if: isNew } }
}

/** Ends the batch of an import, once. */
export async function endImportBatch(
  { store, clock }: Dependencies,
  tenant: TenantRef,
  id: number,
  { created, failed }: { readonly created: number; readonly failed: number },
): Promise<void> {
  const { change, if: runs } = endBatch(tenant, id, clock.now())
  await wasApplied(
    store.write(tenant, {
      update: batchKey(tenant, id),
      change: {
        expression: `${change.expression}, changed = :changed, failed = :failed`,
        ...(change.names && { names: change.names }),
        values: { ...change.values, ':changed': created, ':failed': failed },
      },
      ...(runs && { if: runs }),
    }),
  )
}
