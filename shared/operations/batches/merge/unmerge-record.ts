import { PreconditionFailed } from '../../../kernel/failures/faults.ts'
import type { Caller } from '../../../kernel/principal.ts'
import type { Accepted } from '../../../platform/http/routing/envelope.ts'
import { batchEntriesPartition } from '../../../platform/store/keys/batches.ts'
import { readMergedRecords } from '../../../platform/store/ranges/merged-records.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { readBatchEntry } from '../../../platform/store/rows/batch-entry-row.ts'
import { type ConversationParts, conversationsAbout } from '../../../platform/store/rows/conversation-state.ts'
import { readRecordHead, readSurvivorVersion } from '../../../platform/store/rows/record-row.ts'
import type { Write } from '../../../platform/store/store.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { changeRecord } from '../../../records/records/write/change-record.ts'
import { unmergeWrites } from '../../../records/records/write/merge-writes.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { BatchDependencies } from '../dependencies.ts'
import { type MergedPair, noteRepeat, noteUndo } from '../rows/batch-row.ts'
import type { BatchRecord } from '../rows/page-row.ts'
import type { UndoAnswer } from '../schema.ts'
import { startBatch } from '../start-batch.ts'
import { type Merged, readMerged } from './read-merged.ts'

export interface UnmergeOptions {
  readonly isDryRun: boolean
  /** Only when this batch merged it. */
  readonly batchId?: number
  readonly timeIsUp: () => boolean
}

/**
 * Makes a merged record one of its own again, with its comments, messages and watchers; what came since stays where it came
 * in. Fields that the merge filled and references that it moved return as in an undo, by the right by which the merge
 * acted, and links as far as they still exist. It may be repeated while something of it failed, and by whoever did not make
 * the last one, who may see more of what is left. Throws NotFound, Forbidden, and Conflict for a record that is not merged, or whose merge still runs.
 */
export async function unmergeRecord(
  services: BatchDependencies,
  caller: Caller,
  model: string,
  id: number,
  options: UnmergeOptions,
): Promise<UndoAnswer | Accepted> {
  const table = await services.tables.require(caller.tenant, model)
  return retryWithJitter(services.clock, async (again) => {
    const merged = await readMerged(services, caller, table, id, options.batchId)
    try {
      return await unmergeOnce(services, caller, table, merged, options)
    } catch (error) {
      if (error instanceof PreconditionFailed || isRefusal(error)) return again(error)
      throw error
    }
  })
}

async function unmergeOnce(
  services: BatchDependencies,
  caller: Caller,
  table: Table,
  { mergeBatch, pair, rows, repeats }: Merged,
  { isDryRun, timeIsUp }: UnmergeOptions,
): Promise<UndoAnswer | Accepted> {
  const { store } = services
  const { tenant } = caller
  const { name: model } = table
  const entries = (await readAll(store, tenant, { pk: batchEntriesPartition(tenant, mergeBatch) })).map(readBatchEntry)
  const [ofSurvivor, others] = [
    entries.filter((one) => one.model === model && one.id === pair.into),
    entries.filter((one) => one.model !== model || one.id !== pair.into),
  ]
  const versions = rows ? [readSurvivorVersion(rows.item)] : ofSurvivor.map((one) => one.version)
  const own = {
    id: pair.into,
    action: 'update' as const,
    ...(versions.length > 0 && { version: Math.min(...versions) }),
  }
  const moved = others.map((one): BatchRecord => ({
    id: one.id,
    action: 'update',
    version: one.version,
    ...(one.model !== model && { model: one.model }),
  }))
  const separate = rows && separateRows(services, caller, table, pair, rows)
  const answer = await startBatch(
    services,
    caller,
    {
      kind: 'undo',
      table,
      work: { undoes: mergeBatch, unmerge: pair },
      groups: [[own, ...moved]],
      matched: moved.length + 1,
      isDryRun,
      alsoWrite: (batchId) => [
        ...(isDryRun || entries.length === 0 ? [] : [noteUndo(tenant, mergeBatch, batchId)]),
        ...(isDryRun || repeats === undefined ? [] : [noteRepeat(tenant, repeats, batchId)]),
      ],
      ...(separate && { begin: separate }),
    },
    timeIsUp,
  )
  return answer as UndoAnswer | Accepted
}

/** The transaction that separates the two records, with the batch that brings back the rest. */
const separateRows =
  (
    services: BatchDependencies,
    caller: Caller,
    table: Table,
    { from, into }: MergedPair,
    rows: NonNullable<Merged['rows']>,
  ) =>
  async (batchId: number, writes: readonly Write[]): Promise<unknown> => {
    const actor = { ...caller, source: 'unmerge', batchId }
    const { version: intoVersion } = readRecordHead(rows.into)
    const others = await readMergedRecords(services.store, actor.tenant, table.name, rows.item)
    const homes = new Set([from, ...others.map((item) => readRecordHead(item).id)])
    let own: ConversationParts = {}
    return changeRecord(
      services,
      actor,
      table,
      into,
      {},
      {
        permit: (current) => services.access.require(caller, table.name, into, 'update', current),
        restores: true,
        withoutHooks: true,
        ifMatch: (version) => version === intoVersion,
        mergedFrom: ({ mergedFrom = [] }) => mergedFrom.filter((one) => one !== from),
        conversation: {
          after: ({ conversation }) => {
            own = conversationsAbout(conversation, (home) => homes.has(home))
            return conversationsAbout(conversation, (home) => !homes.has(home))
          },
        },
        writesWith: () => [...unmergeWrites(services, actor, table, rows.item, own), ...writes],
      },
    )
  }
