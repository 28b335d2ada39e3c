import { findMacro } from '../../../automation/macros/macros.ts'
import { Conflict } from '../../../kernel/failures/faults.ts'
import { batchEntryKey, batchKey, batchPageKey } from '../../../platform/store/keys/batches.ts'
import { isRefusal, TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import type { Actor } from '../../../records/records/actor.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { WorkDependencies } from '../dependencies.ts'
import { finishMerge } from '../merge/finish-merge.ts'
import { advanceBatch, type Batch, type Reached, readBatch } from '../rows/batch-row.ts'
import { type BatchRecord, readPageRecords, reportPage } from '../rows/page-row.ts'
import { openUndo } from '../undo/undo-record.ts'
import { type BatchRun, type EntryAction, removeOne, runOn, setFields } from './apply-to-record.ts'
import { changed, failedBy, type RecordOutcome, unchanged } from './record-outcome.ts'

/** Records that are worked on at once. */
const parallelRecords = 6

/**
 * Works on the records of a batch, page by page, until all are done or time is up. Each record takes the whole way of a
 * single write, and the entry that goes with it makes a repeat after a crash harmless; a page is done once. Answers the
 * batch as it is then. What a merge moves comes after the pages. Throws NotFound when its table was removed.
 */
export async function workBatch(
  services: WorkDependencies,
  actor: Actor,
  begun: Batch,
  timeIsUp: () => boolean,
): Promise<Reached> {
  const { store, clock } = services
  const { tenant } = actor
  const table = await services.tables.require(tenant, begun.model)
  const { id, isDryRun } = begun
  const run: BatchRun = {
    services,
    actor: { ...actor, source: sourceOf(begun), batchId: id },
    batchId: id,
    isDryRun,
    ...('unmerge' in begun.work && { unmerge: begun.work.unmerge }),
  }
  const action = await actionOf(run, begun, table)
  let batch = begun
  // Whoever worked before may have done a part of the first page.
  let mayRepeat = true
  while (batch.nextPage < batch.pages && !timeIsUp()) {
    const page = batch.nextPage
    const records = readPageRecords(await store.get(tenant, batchPageKey(tenant, id, page)))
    const outcomes = await workPage(run, table, records, mayRepeat, action)
    mayRepeat = false
    const failures = outcomes.flatMap((one) => (one.as === 'failed' ? [one.failure] : []))
    const kept = outcomes.flatMap((one) => one.kept ?? [])
    const cancelled = outcomes.flatMap((one) => one.cancelled ?? [])
    const returned = outcomes.flatMap((one) => one.returned ?? [])
    const count = (as: RecordOutcome['as']): number => outcomes.filter((one) => one.as === as).length
    const tally = {
      changed: count('changed'),
      unchanged: count('unchanged'),
      failed: failures.length,
      kept: kept.length,
      told: cancelled.length + returned.length,
    }
    const isTold = failures.length + kept.length + tally.told > 0
    const report = isTold ? [reportPage(tenant, id, page, { failures, kept, cancelled, returned })] : []
    try {
      await store.transact(tenant, [advanceBatch(tenant, batch, tally), ...report], clock.uuid())
      batch = {
        ...batch,
        nextPage: page + 1,
        changed: batch.changed + tally.changed,
        unchanged: batch.unchanged + tally.unchanged,
        failed: batch.failed + tally.failed,
        kept: batch.kept + tally.kept,
        told: (batch.told ?? 0) + tally.told,
      }
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error
      // Somebody else works on the batch, or ended it: continue from where it is.
      const current = readBatch(await store.get(tenant, batchKey(tenant, id)), clock.now())
      if (!current || current.status !== 'running')
        throw new Conflict('write_conflict', 'The batch was ended by another request.', { cause: error })
      batch = current
      mayRepeat = true
    }
  }
  if (batch.nextPage < batch.pages || isDryRun) return { ...batch, isDone: batch.nextPage === batch.pages }
  return finishMerge(run, table, batch, timeIsUp)
}

function sourceOf({ kind, work }: Batch): string {
  if ('merge' in work) return 'merge'
  if ('unmerge' in work) return 'unmerge'
  return kind === 'undo' ? 'undo' : 'bulk'
}

interface Action {
  readonly act: (record: BatchRecord) => Promise<RecordOutcome>
  /** What it does to a record, by which its entry is found. */
  readonly makes: (record: BatchRecord) => EntryAction
}

/** What undoes each action. */
const inverse = { create: 'delete', update: 'update', delete: 'create' } as const

async function actionOf(run: BatchRun, { id, work }: Batch, table: Table): Promise<Action> {
  if ('set' in work) return { act: (one) => setFields(run, table, one.id, work.set), makes: () => 'update' }
  if ('delete' in work) return { act: (one) => removeOne(run, table, one.id), makes: () => 'delete' }
  if ('macro' in work) {
    const macro = await findMacro(run.services.macros, run.actor, work.macro)
    return { act: (one) => runOn(run, table, macro, one.id), makes: () => 'update' }
  }
  if ('merge' in work) return { act: () => Promise.resolve(unchanged), makes: () => 'update' }
  if ('undoes' in work)
    return { act: openUndo(run, table, work.undoes), makes: ({ action = 'update' }) => inverse[action] }
  throw new Error(`The records of batch ${id} are not in pages.`)
}

/**
 * What came of the records of a page. Deleted ones come back one after the other, and those that were refused once more
 * after the others, as long as that helps: one may refer to another.
 */
async function workPage(
  run: BatchRun,
  table: Table,
  records: readonly BatchRecord[],
  mayRepeat: boolean,
  { act, makes }: Action,
): Promise<readonly RecordOutcome[]> {
  const { services, actor, batchId, isDryRun } = run
  const keyOf = (one: BatchRecord) =>
    batchEntryKey(actor.tenant, batchId, { model: one.model ?? table.name, id: one.id, action: makes(one) })
  const entries =
    mayRepeat && !isDryRun ? await services.store.getMany(actor.tenant, records.map(keyOf), ['pk', 'sk']) : []
  const outcomes: RecordOutcome[] = records.map(() => unchanged)
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < records.length; index = next++) {
      const record = records[index] as BatchRecord
      outcomes[index] = entries[index] ? changed : await actOnce(record)
    }
  }
  const workers = records.some(({ action }) => action === 'delete') ? 1 : parallelRecords
  await Promise.all(Array.from({ length: workers }, worker))
  for (let refused = Infinity; ;) {
    const again = records.flatMap(({ action }, index) =>
      action === 'delete' && outcomes[index]?.as === 'failed' ? [index] : [],
    )
    if (again.length === 0 || again.length >= refused) return outcomes
    refused = again.length
    for (const index of again) outcomes[index] = await actOnce(records[index] as BatchRecord)
  }

  async function actOnce(record: BatchRecord): Promise<RecordOutcome> {
    try {
      return await act(record)
    } catch (error) {
      // Another worker may have been faster, and its entry be why this write was refused.
      if (isRefusal(error) && !isDryRun && (await services.store.get(actor.tenant, keyOf(record)))) return changed
      if (isRefusal(error))
        return failedBy(
          new Conflict('write_conflict', 'The record was changed at the same time. Try again.', { cause: error }),
          record,
        )
      return failedBy(error, record)
    }
  }
}
