import { Conflict, Invalid, NotFound, PreconditionFailed } from '../../../kernel/failures/faults.ts'
import { mergedRecord } from '../../../kernel/failures/merged-record.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import { maxMergedRecords } from '../../../kernel/limits/records.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Accepted } from '../../../platform/http/routing/envelope.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readMergedRecords } from '../../../platform/store/ranges/merged-records.ts'
import { ownEntry } from '../../../platform/store/rows/batch-entry-row.ts'
import { isLiving, readAfterDue, readMergedInto, readRecord } from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { StoredRecord } from '../../../records/records/record-item.ts'
import { changeRecord, previewChange } from '../../../records/records/write/change-record.ts'
import { mergeWrites } from '../../../records/records/write/merge-writes.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { BatchDependencies } from '../dependencies.ts'
import { noteUndo } from '../rows/batch-row.ts'
import type { MergeAnswer } from '../schema.ts'
import { startBatch } from '../start-batch.ts'
import { fillFields } from './fill-fields.ts'
import { toldOfMerge } from './told-of-merge.ts'

export interface MergeOptions {
  readonly into: number
  readonly isDryRun: boolean
  /** The unmerge that it takes back. */
  readonly undoes?: number
  readonly timeIsUp: () => boolean
}

/**
 * Makes a record part of another of its table. One transaction marks it, fills empty fields of the other by the whole way of
 * an update, and begins the batch that moves links and references; comments, messages and watchers are read through the
 * mark from then on. Throws NotFound, Forbidden, Invalid, and Conflict for a record that is merged already.
 */
export async function mergeRecord(
  services: BatchDependencies,
  caller: Caller,
  model: string,
  id: number,
  options: MergeOptions,
): Promise<MergeAnswer | Accepted> {
  const table = await services.tables.require(caller.tenant, model)
  return retryWithJitter(services.clock, async (again) => {
    const pair = await readPair(services, caller, table, id, options.into, again)
    try {
      return await mergeOnce(services, caller, table, pair, options)
    } catch (error) {
      // Somebody wrote one of them meanwhile: what is there now decides.
      if (error instanceof PreconditionFailed || isRefusal(error)) return again(error)
      throw error
    }
  })
}

interface Pair {
  readonly from: Item
  readonly into: Item
}

/** A record whose hooks have not ended is not taken apart or together. */
export const hooksRun = (model: string, id: number): Conflict =>
  new Conflict('record_busy', `The hooks of ${model} ${id} have not ended yet. Try again in a minute.`)

async function readPair(
  { store, access }: BatchDependencies,
  caller: Caller,
  table: Table,
  id: number,
  into: number,
  again: (cause: Error) => never,
): Promise<Pair> {
  const { tenant } = caller
  const { name: model } = table
  if (table.is_system)
    throw new Invalid({
      into: [`Records of the built-in table ${model} cannot be merged; those of your own tables can.`],
    })
  const [from, survivor] = await store.getMany(tenant, [recordKey(tenant, model, id), recordKey(tenant, model, into)])
  await access.require(caller, model, id, 'update', from)
  if (id === into) throw new Invalid({ into: [say('merged_into_itself', {})] })
  try {
    await access.require(caller, model, into, 'update', survivor)
  } catch (error) {
    if (error instanceof NotFound) throw new Invalid({ into: [say('not_selectable', { field: 'into' })] })
    throw error
  }
  if (readAfterDue(from) !== undefined) return again(hooksRun(model, id))
  if (!isLiving(from)) throw new NotFound('record', { model, id })
  const gone = readMergedInto(survivor)
  if (gone !== undefined) throw mergedRecord(model, into, gone)
  if (!isLiving(survivor)) throw new Invalid({ into: [say('not_selectable', { field: 'into' })] })
  const members = await Promise.all([from, survivor].map((item) => readMergedRecords(store, tenant, model, item)))
  if (members.flat().length + 1 > maxMergedRecords)
    throw new Conflict(
      'too_many_merged',
      `At most ${maxMergedRecords} records are merged into one: ${model} ${into} and ${id} have ${members.flat().length} together.`,
    )
  return { from, into: survivor }
}

async function mergeOnce(
  services: BatchDependencies,
  caller: Caller,
  table: Table,
  pair: Pair,
  { isDryRun, undoes, timeIsUp }: MergeOptions,
): Promise<MergeAnswer | Accepted> {
  const { access, clock } = services
  const { tenant } = caller
  const { name: model } = table
  const [from, into] = [pair.from, pair.into].map((item) => readRecord(item, table) as StoredRecord) as [
    StoredRecord,
    StoredRecord,
  ]
  const filled = await fillFields(services, caller, table, from, into)
  const told = await toldOfMerge(services, caller, table, pair.from, filled)
  const permit = (item: Item | null | undefined) => access.require(caller, model, into.id, 'update', item)
  if (isDryRun) {
    await previewChange(services, caller, table, into.id, filled.values, { permit, restores: true })
    const changed = told.moves.references + 2
    const counts = { matched: changed, changed, unchanged: 0, failed: 0 }
    return { batch_id: null, ...counts, errors: [], id: from.id, merged_into: into.id, ...told }
  }
  const merge = { from: from.id, into: into.id }
  const answer = await startBatch(
    services,
    caller,
    {
      kind: undoes === undefined ? 'merge' : 'undo',
      table,
      work: { merge, told, ...(undoes !== undefined && { undoes }) },
      groups: [],
      matched: told.moves.references + 2,
      isDryRun,
      ...(undoes !== undefined && { alsoWrite: (batchId: number) => [noteUndo(tenant, undoes, batchId)] }),
      begin: (batchId, writes) => {
        const actor = { ...caller, source: 'merge', batchId }
        return changeRecord(services, actor, table, into.id, filled.values, {
          permit,
          restores: true,
          ifMatch: (version) => version === into.version,
          mergedFrom: ({ mergedFrom = [] }) => [...mergedFrom, from.id],
          conversation: { after: ({ conversation }) => ({ ...from.conversation, ...conversation }) },
          writesWith: ({ version }) => [
            ...mergeWrites(services, actor, table, pair.from, { into: into.id, survivorVersion: version }),
            ownEntry(tenant, batchId, { model, id: into.id, version, action: 'update', atMs: clock.now() }),
            ...writes,
          ],
        })
      },
    },
    timeIsUp,
  )
  return answer as MergeAnswer | Accepted
}
