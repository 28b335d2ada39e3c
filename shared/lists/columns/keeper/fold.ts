import { giveWay } from '../../../kernel/runtime/give-way.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { columnLogPartition, columnLogSort } from '../../../platform/store/keys/columns.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import { blockName, readBlocks, stampColumn } from '../blocks.ts'
import { chunkOf, positionOf } from '../chunk.ts'
import { type LogHead, type LogRow, readLogItem, stampOf } from '../log-entry.ts'
import { type Manifest, readManifest } from '../manifest.ts'
import { readChanges } from '../read-changes.ts'
import { goneRow, readableRow } from '../row-of-record.ts'
import { decodeBlock } from '../vector/blocks/decode-block.ts'
import { applyRows } from './apply-rows.ts'
import { type BlockEdits, editBlocks, Outdated } from './edit-blocks.ts'
import { interruptedFolds } from './fold-row.ts'
import type { KeptTable } from './keeper-limits.ts'

/** What became of a fold. `superseded`: another one is in flight, or was faster. */
export type FoldOutcome = 'folded' | 'nothing to fold' | 'superseded'

/**
 * Folds the log of a table into its blocks, as far as one fold reads, if `isLong` says so of the manifest. A crash
 * before or after any of its calls, and other folds at the same time, do no harm.
 */
export async function fold(kept: KeptTable, isLong: (manifest: Manifest) => boolean): Promise<FoldOutcome> {
  const { store, tenant, model } = kept
  const manifest = await readManifest(store, tenant, model)
  if (!isLong(manifest)) return 'nothing to fold'
  const interrupted = await interruptedFolds(kept)
  if (!interrupted) return 'superseded'
  const log = await readTail(kept, manifest)
  if (log === 'gap') {
    // Entries are removed only after two more folds.
    if ((await readManifest(store, tenant, model)).rev > manifest.rev) return 'superseded'
    throw new Error(`the log of the columns of ${model} has a gap behind entry ${manifest.folded}`)
  }
  if (!log) return 'nothing to fold'
  const { head, rows } = log
  let edits: BlockEdits | undefined
  try {
    const checked = await addMissed(kept, manifest, rows)
    const byChunk = Map.groupBy(rows.values(), ({ id }) => chunkOf(id))
    const table = await kept.tables.find(tenant, model)
    edits = await editBlocks(kept, manifest, [...byChunk.keys()], interrupted)
    let { live } = manifest
    for (const [chunk, ofChunk] of byChunk) {
      live += await applyRows(kept, edits, chunk, ofChunk, table)
      byChunk.delete(chunk)
      await edits.showSign()
    }
    const { seq: folded, n, size } = head
    return (await edits.commit({ folded, n, size, checked, live })) ? 'folded' : 'superseded'
  } catch (error) {
    if (!(error instanceof Outdated)) throw error
    await edits?.abandon()
    return 'superseded'
  }
}

/** The newest row of each id behind the manifest, and the entry read last; undefined when there is none. */
async function readTail(
  { store, tenant, model, limits }: KeptTable,
  { folded, size }: Manifest,
): Promise<{ readonly head: LogHead; readonly rows: Map<number, LogRow> } | 'gap' | undefined> {
  const rows = new Map<number, LogRow>()
  let head: LogHead | undefined
  const range = { pk: columnLogPartition(tenant, model), from: columnLogSort(folded + 1) }
  for await (const page of readPages(store, tenant, range)) {
    for (const item of page.items) {
      const entry = readLogItem(item)
      if (entry.seq !== (head?.seq ?? folded) + 1) return 'gap'
      if (head && entry.size - size > limits.maxFoldBytes) return { head, rows }
      const { seq, n } = entry
      head = { seq, n, size: entry.size }
      for (const row of entry.rows) {
        const known = rows.get(row.id)
        if (!known || stampOf(row) > stampOf(known)) rows.set(row.id, row)
      }
      await giveWay()
    }
  }
  return head && { head, rows }
}

/** The change slot shows what was written so long ago. Readers ask for all that came later. */
const settledMs = 2_000
/** A fold looks so far behind the one before it, for changes that the slot showed late. */
const lateMs = 10_000
/** How many records are read at once. */
const recordsAtOnce = 200

/**
 * Adds to the rows of a fold what changed and did not come into the log yet: a message may fail for hours, or get lost,
 * and readers do not look for it behind a fold. Answers up to which moment (ISO) the blocks then have every change.
 */
async function addMissed(kept: KeptTable, manifest: Manifest, rows: Map<number, LogRow>): Promise<string> {
  const { store, clock, tenant, model } = kept
  const checked = isoTime(clock.now() - settledMs)
  const since = manifest.checked && isoTime(Date.parse(manifest.checked) - lateMs)
  const { stamps } = await readChanges(store, tenant, model, since)
  const missed: number[] = []
  for (const [chunk, changes] of Map.groupBy(stamps, ([id]) => chunkOf(id))) {
    const unseen = changes.filter(([id, stamp]) => stamp > stampIn(rows, id))
    if (unseen.length === 0) continue
    const known = await stampsOfChunk(kept, manifest, chunk)
    for (const [id, stamp] of unseen) if (stamp > known(id)) missed.push(id)
  }
  for (let start = 0; start < missed.length; start += recordsAtOnce) {
    const ids = missed.slice(start, start + recordsAtOnce)
    const items = await store.getMany(
      tenant,
      ids.map((id) => recordKey(tenant, model, id)),
    )
    for (const [index, item] of items.entries()) {
      const id = ids[index] as number
      rows.set(id, item ? readableRow(item) : goneRow(id, Math.floor((stamps.get(id) as number) / 2)))
    }
  }
  return checked > manifest.checked ? checked : manifest.checked
}

function stampIn(rows: ReadonlyMap<number, LogRow>, id: number): number {
  const row = rows.get(id)
  return row ? stampOf(row) : 0
}

async function stampsOfChunk(
  { store, tenant, model }: KeptTable,
  manifest: Manifest,
  chunk: number,
): Promise<(id: number) => number> {
  const block = { column: stampColumn, chunk }
  const blocks = await readBlocks(store, tenant, model, manifest, [block])
  if (!blocks) throw new Outdated('a block was replaced')
  const bytes = blocks.get(blockName(block))
  const stamps = bytes && decodeBlock(bytes)
  return (id) => Number(stamps?.get(positionOf(id)) ?? 0)
}
