import type { Viewer } from '../../kernel/principal.ts'
import type { Batch } from './rows/batch-row.ts'
import { readReport, toldMembers } from './rows/read-report.ts'
import type { BatchHead, BulkAnswer, MergeAnswer, UndoAnswer } from './schema.ts'

/** What a request that began a batch answers, or its job: as far as the viewer may know of it. */
export async function answerBatch(
  services: Parameters<typeof readReport>[0],
  viewer: Viewer,
  batch: Batch,
): Promise<BulkAnswer | UndoAnswer | MergeAnswer> {
  const { id, kind, matched, changed, unchanged, failed, isDryRun, work } = batch
  const report = await readReport(services, viewer, batch)
  const answer = {
    batch_id: isDryRun ? null : id,
    matched,
    changed,
    unchanged,
    failed,
    errors: [...report.failures],
    ...(kind === 'undo' && { kept: [...report.kept] }),
    ...toldMembers(report),
  }
  // A merge names the processes that end as it began.
  return 'merge' in work ? { ...answer, id: work.merge.from, merged_into: work.merge.into, ...work.told } : answer
}

/** A batch in a list. */
export const describeBatch = (batch: Batch): BatchHead => ({
  id: batch.id,
  kind: batch.kind,
  model: batch.model,
  status: batch.status,
  matched: batch.matched,
  changed: batch.changed,
  unchanged: batch.unchanged,
  failed: batch.failed,
  kept: batch.kept,
  created_by: batch.userId,
  created_at: batch.createdAt,
  ended_at: batch.endedAt ?? null,
  job_id: batch.status === 'running' ? (batch.jobId ?? null) : null,
  undoes: 'undoes' in batch.work ? batch.work.undoes : null,
  undone_by: batch.undoneBy ?? null,
  problem: batch.problem ?? null,
})
