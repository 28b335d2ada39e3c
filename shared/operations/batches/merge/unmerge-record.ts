import { Conflict, NotFound, PreconditionFailed } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Accepted } from '../../../platform/http/routing/envelope.ts'
import { batchEntriesPartition, batchKey } from '../../../platform/store/keys/batches.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { readBatchEntry } from '../../../platform/store/rows/batch-entry-row.ts'
import { asUnmerged, isLiving, readMergedInto, readRecordHead } from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import { changeRecord, readSurvivorVersion, unmergeWrites } from '../../../records/records/service.ts'
import type { Table } from '../../../tables/tables/service.ts'
import type { BatchDependencies } from '../dependencies.ts'
import { noteUndo, readBatch } from '../rows/batch-row.ts'
import type { BatchRecord } from '../rows/page-row.ts'
import type { UndoAnswer } from '../schema.ts'
import { startBatch } from '../start-batch.ts'

/** How often records that others change at the same time are looked at anew. */
const maxLooks = 8

export interface UnmergeOptions {
  readonly isDryRun: boolean
  /** Only when this batch merged it. */
  readonly batchId?: number
  readonly timeIsUp: () => boolean
}

/**
 * Makes a merged record one of its own again, with its comments, messages and watchers; what came since stays where it came
 * in. Fields that the merge filled and references that it moved return as in an undo, links as far as they still exist. Throws
 * NotFound, Forbidden, and Conflict for a record that is not merged, or whose merge still runs.
 */
export async function unmergeRecord(
  services: BatchDependencies,
  caller: Caller,
  model: string,
  id: number,
  options: UnmergeOptions,
): Promise<UndoAnswer | Accepted> {
  const table = await services.tables.require(caller.tenant, model)
  for (let look = 1; ; look += 1) {
    const merged = await readMergedPair(services, caller, table, id, options)
    try {
      return await unmergeOnce(services, caller, table, merged, options)
    } catch (error) {
      if (look === maxLooks || !(error instanceof PreconditionFailed || isRefusal(error))) throw error
    }
  }
}

interface MergedRecord {
  readonly item: Item
  readonly into: Item
  readonly mergeBatch: number
}

async function readMergedPair(
  { store, access, clock }: BatchDependencies,
  caller: Caller,
  { name: model }: Table,
  id: number,
  { batchId }: UnmergeOptions,
): Promise<MergedRecord> {
  const { tenant } = caller
  const item = await store.get(tenant, recordKey(tenant, model, id))
  const intoId = readMergedInto(item)
  await access.require(caller, model, id, intoId === undefined ? 'update' : 'read', item)
  if (!item || intoId === undefined || (batchId !== undefined && Number(item.batch_id) !== batchId))
    throw new Conflict(
      'record_not_merged',
      `${model} ${id} is not merged${batchId === undefined ? '' : ' by this batch any more'}.`,
    )
  await access.require(caller, model, id, 'update', asUnmerged(item))
  const into = await store.get(tenant, recordKey(tenant, model, intoId))
  const further = readMergedInto(into)
  if (further !== undefined)
    throw new Conflict(
      'record_merged',
      `${model} ${intoId}, which ${id} is part of, was itself merged into ${model} ${further}. Unmerge ${intoId} first.`,
      { details: { merged_into: further } },
    )
  await access.require(caller, model, intoId, 'update', into)
  if (!isLiving(into)) throw new NotFound('record', { model, id: intoId })
  const mergeBatch = Number(item.batch_id)
  const batch = readBatch(await store.get(tenant, batchKey(tenant, mergeBatch)), clock.now())
  if (batch?.status === 'running')
    throw new Conflict('batch_running', 'The merge still runs. Unmerge when it has ended.')
  return { item, into, mergeBatch }
}

async function unmergeOnce(
  services: BatchDependencies,
  caller: Caller,
  table: Table,
  { item, into, mergeBatch }: MergedRecord,
  { isDryRun, timeIsUp }: UnmergeOptions,
): Promise<UndoAnswer | Accepted> {
  const { store, access } = services
  const { tenant } = caller
  const { name: model } = table
  const { id } = readRecordHead(item)
  const { id: intoId, version: intoVersion } = readRecordHead(into)
  const entries = (await readAll(store, tenant, { pk: batchEntriesPartition(tenant, mergeBatch) })).map(readBatchEntry)
  const others = entries.filter((one) => one.model !== model || one.id !== intoId)
  const own = { id: intoId, action: 'update' as const, version: readSurvivorVersion(item) }
  const moved = others.map((one): BatchRecord => ({
    id: one.id,
    action: 'update',
    version: one.version,
    ...(one.model !== model && { model: one.model }),
  }))
  const answer = await startBatch(
    services,
    caller,
    {
      kind: 'undo',
      table,
      work: { undoes: mergeBatch, unmerge: { from: id, into: intoId } },
      groups: [[own, ...moved]],
      matched: moved.length + 1,
      isDryRun,
      alsoWrite: (batchId) => (isDryRun || entries.length === 0 ? [] : [noteUndo(tenant, mergeBatch, batchId)]),
      begin: (batchId, writes) => {
        const actor = { ...caller, source: 'unmerge', batchId }
        return changeRecord(
          services,
          actor,
          table,
          intoId,
          {},
          {
            permit: (current) => access.require(caller, model, intoId, 'update', current),
            restores: true,
            withoutHooks: true,
            ifMatch: (version) => version === intoVersion,
            mergedFrom: ({ mergedFrom = [] }) => mergedFrom.filter((one) => one !== id),
            writesWith: () => [...unmergeWrites(services, actor, table, item), ...writes],
          },
        )
      },
    },
    timeIsUp,
  )
  return answer as UndoAnswer | Accepted
}
