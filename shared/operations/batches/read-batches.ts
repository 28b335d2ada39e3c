import { NotFound } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { listRows } from '../../platform/listing/list-rows.ts'
import { allBatchesPartition, batchesOfUserPartition, batchKey } from '../../platform/store/keys/batches.ts'
import { batchSlots, slotName } from '../../platform/store/slots.ts'
import type { Store } from '../../platform/store/store.ts'
import { describeBatch } from './answer-batch.ts'
import type { WorkDependencies } from './dependencies.ts'
import { type Batch, readBatch } from './rows/batch-row.ts'
import { readReport, toldMembers } from './rows/read-report.ts'
import type { BatchAnswer, BatchHead, BatchQuery } from './schema.ts'
import { batchSequence } from './start-batch.ts'

interface Dependencies {
  readonly store: Pick<Store, 'get' | 'query' | 'getMany'>
  readonly clock: Pick<Clock, 'now'>
}

/** Lists batches, newest first: one's own, for administrators those of all. */
export function listBatches(
  { store }: Dependencies,
  { tenant, userId, isAdministrator }: Caller,
  query: BatchQuery,
): Promise<Page<BatchHead>> {
  const [slot, pk] = isAdministrator
    ? [batchSlots.all, allBatchesPartition(tenant)]
    : [batchSlots.ofUser, batchesOfUserPartition(tenant, userId)]
  return listRows<Batch, BatchHead>(
    store,
    tenant,
    {
      name: 'batches',
      sources: [{ pk, index: slotName(slot) }],
      sequence: batchSequence,
      textsOf: ({ kind, model }) => [kind, model],
      keyOf: (id) => batchKey(tenant, id),
      // Whoever lists them sees one until its row is removed.
      read: (item) => readBatch(item, 0) as Batch,
      keep: (rows) => rows.filter((one) => !one.isDryRun && (isAdministrator || one.userId === userId)),
      isCountable: false,
    },
    (rows) => rows.map(describeBatch),
    query,
  )
}

/** A batch with what it reported. Throws NotFound, also for the batch of somebody else. */
export async function findBatch(
  services: Dependencies & Pick<WorkDependencies, 'access'>,
  caller: Caller,
  id: number,
): Promise<BatchAnswer> {
  const batch = await requireBatch(services, caller, id)
  const report = await readReport(services, caller, batch)
  return { ...describeBatch(batch), errors: [...report.failures], kept: [...report.kept], ...toldMembers(report) }
}

/** The batch, for its starter and administrators. Throws NotFound. */
export async function requireBatch(
  { store, clock }: { readonly store: Pick<Store, 'get'>; readonly clock: Pick<Clock, 'now'> },
  { tenant, userId, isAdministrator }: Caller,
  id: number,
): Promise<Batch> {
  const batch = readBatch(await store.get(tenant, batchKey(tenant, id)), clock.now())
  if (!batch || batch.isDryRun || (!isAdministrator && batch.userId !== userId)) throw new NotFound('batch', { id })
  return batch
}
