import { isoTime } from '../../../kernel/time/clock.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { blockName, readBlocks, stampColumn } from '../blocks.ts'
import { chunkOf, positionOf } from '../chunk.ts'
import { type LogRow, stampOf } from '../log-entry.ts'
import type { Manifest } from '../manifest.ts'
import { readChanges } from '../read-changes.ts'
import { goneRow, readableRow } from '../row-of-record.ts'
import { decodeBlock } from '../vector/blocks/decode-block.ts'
import { Outdated } from './edit-blocks.ts'
import type { KeptTable } from './keeper-limits.ts'

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
export async function addMissed(kept: KeptTable, manifest: Manifest, rows: Map<number, LogRow>): Promise<string> {
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
