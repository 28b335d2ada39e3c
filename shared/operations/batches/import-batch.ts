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

/**
 * The batch of an import, whose row goes with the import's progress. The ids of its rows are consecutive. `created`: how many
 * rows may create records, when not all may. `id`: one that was allocated before.
 */
export async function prepareImportBatch(
  { store, clock }: Dependencies,
  { tenant, userId }: Principal,
  model: string,
  {
    total,
    ...imported
  }: { readonly firstId: number; readonly total: number; readonly created?: number; readonly id?: number },
): Promise<{ readonly id: number; readonly write: Write }> {
  const id = imported.id ?? (await allocateIds(store, tenant, batchSequence))
  const item = batchItem(tenant, {
    id,
    kind: 'import',
    model,
    status: 'running',
    userId,
    work: { imported: { firstId: imported.firstId, total: imported.created ?? total } },
    matched: total,
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
  {
    created,
    updated = 0,
    unchanged = 0,
    failed,
  }: {
    readonly created: number
    readonly updated?: number
    readonly unchanged?: number
    readonly failed: number
  },
): Promise<void> {
  const { change, if: runs } = endBatch(tenant, id, clock.now())
  await wasApplied(
    store.write(tenant, {
      update: batchKey(tenant, id),
      change: {
        expression: `${change.expression}, changed = :changed, unchanged = :unchanged, failed = :failed`,
        ...(change.names && { names: change.names }),
        values: { ...change.values, ':changed': created + updated, ':unchanged': unchanged, ':failed': failed },
      },
      ...(runs && { if: runs }),
    }),
  )
}

/** Ends the batch of an import that failed as a whole. */
export async function failImportBatch(
  { store, clock }: Dependencies,
  tenant: TenantRef,
  id: number,
  problem: string,
): Promise<void> {
  await wasApplied(store.write(tenant, endBatch(tenant, id, clock.now(), 'failed', problem)))
}
