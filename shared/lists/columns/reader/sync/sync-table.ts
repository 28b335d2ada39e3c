import { createTurns } from '../../../../kernel/runtime/give-way.ts'
import { saidModel } from '../../../../platform/queue/change-feed/said-event.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import { type Manifest, readManifest } from '../../manifest.ts'
import { readChanges } from '../../read-changes.ts'
import { type ColumnTable, type ReaderDependencies, stateOfTable } from '../column-table.ts'
import { applyRow, type TableState } from '../table-state.ts'
import { lookUpChanges, unknownChanges } from './look-up-changes.ts'
import { pollWindow } from './poll-window.ts'
import { joinReads, type LogEntry, readLog, readLogByKeys } from './read-log.ts'
import { takeManifest } from './take-manifest.ts'

/** A gap needs two folds between two reads; so many in a row are no coincidence. */
const maxGaps = 5
/** A process looks so often whether blocks were replaced to repair them: the log does not tell. */
const oldManifestMs = 60_000
/** Older manifests that were read ahead are read again. */
const maxAheadMs = 5_000
/**
 * A sync that finds more changes than this is one of a flood, an import most often: each of its rows is in the log a
 * moment later, and costs a read unit to look up, in each process. So a process asks less often then, and waits for the
 * log before it looks up what is left.
 */
const maxCalmChanges = 1_000
const maxLookedUp = 50
const betweenFloodsMs = 500
const logEveryMs = 100
const maxLogWaitMs = 1_000
/** A tail of so many bytes, and then one half as large again as it was left, is pruned with a newer manifest. */
export const longTailBytes = 4 * 1024 * 1024

/**
 * Brings a table in step: the log behind the entry applied last, and side by side what the change slot tells. A table
 * has one sync at a time; only a sync changes the manifest, the entry and the state that views are made of.
 */
export async function syncTable(readers: ReaderDependencies, table: ColumnTable): Promise<void> {
  const { store, clock, memory } = readers
  const { tenant, model } = table
  const calmMs = table.calmAt - clock.now()
  if (calmMs > 0) await clock.sleep(calmMs)
  const { state } = table
  const appliedBefore = state?.applied
  const now = clock.now()
  if (!state) table.moments = pollWindow()
  const isOld = now - table.manifestAt >= oldManifestMs
  const needsManifest = !state || table.wantsManifest || isOld || state.tail.bytes >= table.pruneAt
  table.wantsManifest = false
  const manifest = needsManifest ? await readManifest(store, tenant, model, takeAhead(table, now)) : undefined
  const following = followLog(readers, table, manifest)
  // Thrown where it is awaited, also when the changes cannot be read.
  following.catch(() => undefined)
  const [changes] = await Promise.all([
    // The index of what was said follows the log alone: a comment is found a moment later than a record is.
    model === saidModel
      ? { stamps: new Map<number, number>(), newest: '' }
      : readChanges(store, tenant, model, table.moments.since(now, manifest?.checked ?? '')),
    following,
  ])
  if (changes.stamps.size > maxCalmChanges) table.calmAt = now + betweenFloodsMs
  await lookUpChanges(store, table, await waitForLog(readers, table, changes.stamps))
  if (manifest) {
    table.manifestAt = now
    table.pruneAt = Math.max(longTailBytes, stateOfTable(table).tail.bytes * 1.5)
  }
  if (table.state?.applied !== appliedBefore) memory.makeRoom(0)
  table.moments.noteComplete(now, changes.newest)
}

/** What is left to look up of some changes, once the log had the time to tell most of them. */
async function waitForLog(
  readers: ReaderDependencies,
  table: ColumnTable,
  changes: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, number>> {
  const until = readers.clock.now() + maxLogWaitMs
  let unknown = unknownChanges(stateOfTable(table), changes)
  while (unknown.size > maxLookedUp && readers.clock.now() < until) {
    await readers.clock.sleep(logEveryMs)
    await followLog(readers, table, undefined)
    unknown = unknownChanges(stateOfTable(table), unknown)
  }
  return unknown
}

/** What a request read of the manifest a moment ago: the log behind it tells what changed since. Not for a later sync. */
function takeAhead(table: ColumnTable, now: number): Item | null | undefined {
  const { ahead, state } = table
  table.ahead = undefined
  return !state && ahead && now - ahead.at < maxAheadMs ? ahead.item : undefined
}

/** Applies the log, begins anew after a gap, and continues with the manifest if one was read. */
async function followLog(
  readers: ReaderDependencies,
  table: ColumnTable,
  manifest: Manifest | undefined,
): Promise<void> {
  const { store } = readers
  const { tenant, model } = table
  let entries = table.state
    ? await readLog(store, tenant, model, table.state.seq)
    : await beginAt(readers, table, manifest as Manifest)
  for (let gaps = 0; gaps < maxGaps; gaps += 1) {
    const state = stateOfTable(table)
    await applyEntries(state, entries)
    const hasGap = (entries.at(-1)?.seq ?? 0) > state.seq || (manifest?.folded ?? 0) > state.seq
    if (!hasGap) {
      if (manifest) await takeManifest(readers, table, manifest)
      return
    }
    // The log was removed up to there: this process slept through two folds. Or the entry was not visible yet where it was
    // read: keys of one call may be read from different replicas.
    await takeManifest(readers, table, await readManifest(store, tenant, model))
    entries = await readLog(store, tenant, model, stateOfTable(table).seq, { consistent: true })
  }
  throw new Error(`the log of the columns of ${model} has a gap behind entry ${table.state?.seq}`)
}

/** Takes the first manifest of a table and answers the log behind it, in one call with the blocks if there are few. */
async function beginAt(readers: ReaderDependencies, table: ColumnTable, manifest: Manifest): Promise<LogEntry[]> {
  const { tenant, model } = table
  const store = joinReads(readers.store)
  // Without blocks a query is one call as well, and does not pay for keys that do not exist.
  const read = manifest.blocks.size === 0 ? readLog : readLogByKeys
  const [entries] = await Promise.all([
    read(store, tenant, model, manifest.folded),
    takeManifest({ ...readers, store }, table, manifest),
  ])
  return entries
}

/** Applies the entries that follow without a gap. Between two turns the state is that of some moment. */
async function applyEntries(state: TableState, entries: readonly LogEntry[]): Promise<void> {
  const nextTurn = createTurns()
  for (const { seq, rows } of entries) {
    if (seq <= state.seq) continue
    if (seq > state.seq + 1) return
    for (const row of rows()) {
      applyRow(state, row, seq)
      const turn = nextTurn()
      if (turn) await turn
    }
    state.seq = seq
  }
}
