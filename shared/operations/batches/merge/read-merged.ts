import { Conflict, NotFound } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { batchKey } from '../../../platform/store/keys/batches.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { asUnmerged, isLiving, readMergedInto, readUnmergedBy } from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { BatchDependencies } from '../dependencies.ts'
import { type Batch, type MergedPair, readBatch } from '../rows/batch-row.ts'

/** A merge to be taken back, or the rest of one. */
export interface Merged {
  readonly mergeBatch: number
  readonly pair: MergedPair
  /** The rows of both while they are merged. */
  readonly rows?: { readonly item: Item; readonly into: Item }
  /** The first unmerge, of which this is a repeat. */
  readonly repeats?: number
}

/**
 * Reads a merge to take back. Only the merge of the batch `batchId`, if that is given. Throws NotFound, Forbidden, and Conflict
 * for a record that is not merged, or whose merge still runs.
 */
export async function readMerged(
  services: BatchDependencies,
  caller: Caller,
  { name: model }: Table,
  id: number,
  batchId: number | undefined,
): Promise<Merged> {
  const { store, access, clock } = services
  const { tenant } = caller
  const item = await store.get(tenant, recordKey(tenant, model, id))
  const intoId = readMergedInto(item)
  await access.require(caller, model, id, intoId === undefined ? 'update' : 'read', item)
  if (!item || intoId === undefined) {
    const begun = item && (await findBegun(services, caller, model, item, batchId))
    if (begun) return begun
  }
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
  return { mergeBatch, pair: { from: id, into: intoId }, rows: { item, into } }
}

/** The unmerge of a record of which something may be left; undefined when there is none. */
async function findBegun(
  { store, access, clock }: BatchDependencies,
  caller: Caller,
  model: string,
  item: Item,
  batchId: number | undefined,
): Promise<Merged | undefined> {
  const { tenant } = caller
  const find = async (id: number | undefined): Promise<Batch | undefined> =>
    id === undefined ? undefined : readBatch(await store.get(tenant, batchKey(tenant, id)), clock.now())
  const first = await find(readUnmergedBy(item))
  if (!first || !('unmerge' in first.work)) return undefined
  const { undoes: mergeBatch, unmerge: pair } = first.work
  if (batchId !== undefined && batchId !== mergeBatch) return undefined
  const last = (await find(first.continuedBy)) ?? first
  if (last.status === 'running')
    throw new Conflict('batch_running', 'The unmerge still runs. Repeat it when it has ended, if something failed.')
  if (last.status === 'done' && last.failed === 0 && last.userId === caller.userId) return undefined
  const into = await store.get(tenant, recordKey(tenant, model, pair.into))
  if (isLiving(into)) await access.require(caller, model, pair.into, 'update', into)
  return { mergeBatch, pair, repeats: first.id }
}
