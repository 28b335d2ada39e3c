import { Conflict, Forbidden, NotFound } from '../../kernel/failures/faults.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Accepted } from '../../platform/http/routing/envelope.ts'
import { batchEntriesPartition } from '../../platform/store/keys/batches.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { readAll } from '../../platform/store/ranges/read-all.ts'
import { readBatchEntry } from '../../platform/store/rows/batch-entry-row.ts'
import { isLiving, livingAttributes } from '../../platform/store/rows/record-row.ts'
import type { BatchDependencies } from './dependencies.ts'
import { mergeRecord } from './merge/merge-record.ts'
import { unmergeRecord } from './merge/unmerge-record.ts'
import { requireBatch } from './read-batches.ts'
import { type Batch, noteUndo } from './rows/batch-row.ts'
import type { BatchRecord } from './rows/page-row.ts'
import type { MergeAnswer, UndoAnswer } from './schema.ts'
import { startBatch } from './start-batch.ts'

/** Ids that are looked up at once. */
const idsPerRead = 100

/**
 * Undoes a batch, as a batch of its own, which can be undone in turn. Deleted records return first, then fields, whose
 * references they may be, and what was created goes last. Throws NotFound, Forbidden, and Conflict while the batch runs.
 */
export async function undoBatch(
  services: BatchDependencies,
  caller: Caller,
  id: number,
  { isDryRun, timeIsUp }: { readonly isDryRun: boolean; readonly timeIsUp: () => boolean },
): Promise<UndoAnswer | MergeAnswer | Accepted> {
  const { tenant } = caller
  const batch = await requireBatch(services, caller, id)
  if (batch.status === 'running')
    throw new Conflict('batch_running', 'The batch still runs. Undo it when it has ended.')
  const { work } = batch
  if ('merge' in work)
    return unmergeRecord(services, caller, batch.model, work.merge.from, { isDryRun, batchId: id, timeIsUp })
  if ('unmerge' in work) {
    const { from, into } = work.unmerge
    return mergeRecord(services, caller, batch.model, from, { into, isDryRun, undoes: id, timeIsUp })
  }
  const table = await services.tables.find(tenant, batch.model)
  if (!table) throw new NotFound('table', { model: batch.model }, `The table ${batch.model} was removed.`)
  const records = await recordsOf(services, caller, batch)
  const groups = (['delete', 'update', 'create'] as const).map((action) =>
    records.filter((one) => one.action === action),
  )
  for (const [index, action] of (['update', 'update', 'delete'] as const).entries())
    if (groups[index]?.some((one) => one.model === undefined) && !mayOnTable(caller, batch.model, action))
      throw new Forbidden('forbidden', `You need the permission ${batch.model}.${action}.`)
  return startBatch(
    services,
    caller,
    {
      kind: 'undo',
      table,
      work: { undoes: id },
      groups,
      matched: records.length,
      isDryRun,
      ...(!isDryRun && { alsoWrite: (undo) => [noteUndo(tenant, id, undo)] }),
    },
    timeIsUp,
  ) as Promise<UndoAnswer | Accepted>
}

/** What the batch wrote, the last first. */
async function recordsOf({ store }: BatchDependencies, { tenant }: Caller, batch: Batch): Promise<BatchRecord[]> {
  const items = await readAll(store, tenant, { pk: batchEntriesPartition(tenant, batch.id) })
  const entries = items
    .map(readBatchEntry)
    .sort((a, b) => b.atMs - a.atMs || b.id - a.id)
    .map(({ id, model, action, version }) => ({ id, action, version, ...(model !== batch.model && { model }) }))
  const { work } = batch
  if (!('imported' in work)) return entries
  // Rows of an import have no entries: their ids are known.
  const created: BatchRecord[] = []
  const { firstId, total } = work.imported
  for (let from = firstId; from < firstId + total; from += idsPerRead) {
    const ids = Array.from({ length: Math.min(idsPerRead, firstId + total - from) }, (_, index) => from + index)
    const rows = await store.getMany(
      tenant,
      ids.map((id) => recordKey(tenant, batch.model, id)),
      livingAttributes,
    )
    created.push(...ids.filter((_, index) => isLiving(rows[index])).map((id) => ({ id, action: 'create' as const })))
  }
  return [...entries, ...created.reverse()]
}
