import type { Caller } from '../../kernel/principal.ts'
import { Throttled } from '../../kernel/throttling/throttled.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { Accepted } from '../../platform/http/routing/envelope.ts'
import { jobKey } from '../../platform/store/keys/jobs.ts'
import { allocateIds } from '../../platform/store/sequence/sequence.ts'
import type { Write } from '../../platform/store/store.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import type { Table } from '../../tables/tables/table.ts'
import { answerBatch } from './answer-batch.ts'
import { batchJobKind } from './batch-job.ts'
import type { BatchDependencies } from './dependencies.ts'
import { type Batch, batchItem, endBatch, type Reached, type Work } from './rows/batch-row.ts'
import { type BatchRecord, pageItem, recordsPerPage } from './rows/page-row.ts'
import type { BatchKind, BulkAnswer, MergeAnswer, UndoAnswer } from './schema.ts'
import { workBatch } from './work/work-batch.ts'

/** The sequence of the ids of batches. */
export const batchSequence = 'sys_batches'
/** After so long the sweeper wakes the job of a batch whose request was cut off: longer than any request takes. */
const dueAfterMs = 90_000

/** A batch to begin. Its records stay the same, whatever the changes do to the query that found them. */
export interface NewBatch {
  readonly kind: BatchKind
  readonly table: Table
  readonly work: Work
  /** In the order of the work; records of one group share no page with those of another. */
  readonly groups: readonly (readonly BatchRecord[])[]
  readonly matched: number
  readonly isDryRun: boolean
  /** Written together with the batch. */
  readonly alsoWrite?: (batchId: number) => readonly Write[]
  /** Writes the batch together with what it begins with; instead of a transaction of its own. */
  readonly begin?: (batchId: number, writes: readonly Write[]) => Promise<unknown>
}

/**
 * Begins a batch: its records in pages, then its row together with that of a job, which continues when the request is cut
 * off. The request works itself as long as it may; then the job has it (202).
 */
export async function startBatch(
  services: BatchDependencies,
  caller: Caller,
  { kind, table, work, groups, matched, isDryRun, alsoWrite, begin }: NewBatch,
  timeIsUp: () => boolean,
): Promise<BulkAnswer | UndoAnswer | MergeAnswer | Accepted> {
  const { store, clock, jobs } = services
  const { tenant, userId } = caller
  const now = clock.now()
  const id = await allocateIds(store, tenant, batchSequence)
  const pages = groups.flatMap(inPages)
  await store.putMany(
    tenant,
    pages.map((records, page) => pageItem(tenant, id, page, records, now)),
  )
  const job = await jobs.prepare(tenant, caller, batchJobKind, { batch_id: id }, { total: matched, dueAfterMs })
  const batch: Batch = {
    id,
    kind,
    model: table.name,
    status: 'running',
    userId,
    work,
    matched,
    changed: 0,
    unchanged: 0,
    failed: 0,
    kept: 0,
    pages: pages.length,
    nextPage: 0,
    jobId: job.id,
    isDryRun,
    createdAt: isoTime(now),
  }
  const writes: readonly Write[] = [{ put: batchItem(tenant, batch), if: isNew }, job.write, ...(alsoWrite?.(id) ?? [])]
  await (begin && !isDryRun ? begin(id, writes) : store.transact(tenant, writes, clock.uuid()))
  const reached = await workWhilePossible(services, caller, batch, timeIsUp)
  if (reached.isDone) {
    // The job was for a request that is cut off.
    await store.transact(tenant, [endBatch(tenant, id, clock.now()), { remove: jobKey(tenant, job.id) }], clock.uuid())
    return answerBatch(services, caller, reached)
  }
  await jobs.wake(tenant, job.id)
  return new Accepted({ job_id: job.id, batch_id: isDryRun ? null : id, matched })
}

/** Works until time is up, or a provider throttles: the job may wait for that. */
async function workWhilePossible(
  services: BatchDependencies,
  caller: Caller,
  batch: Batch,
  timeIsUp: () => boolean,
): Promise<Reached> {
  try {
    return await workBatch(services, caller, batch, timeIsUp)
  } catch (error) {
    if (error instanceof Throttled) return { ...batch, isDone: false }
    throw error
  }
}

const inPages = (records: readonly BatchRecord[]): (readonly BatchRecord[])[] =>
  Array.from({ length: Math.ceil(records.length / recordsPerPage) }, (_, page) =>
    records.slice(page * recordsPerPage, (page + 1) * recordsPerPage),
  )
