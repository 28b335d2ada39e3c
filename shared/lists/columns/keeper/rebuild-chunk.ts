import { giveWay } from '../../../kernel/runtime/give-way.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readSequence } from '../../../platform/store/sequence/sequence.ts'
import { stampColumn } from '../blocks.ts'
import { chunkIds, idAt, positionOf } from '../chunk.ts'
import { isLivingStamp, stampOf } from '../log-entry.ts'
import { readManifest } from '../manifest.ts'
import { readableRow, type TellUnreadable } from '../row-of-record.ts'
import { columnsOfRows, valueIn } from '../row-values.ts'
import type { Value } from '../scalar.ts'
import { encodeBlock } from '../vector/blocks/encode-block.ts'
import { vectorOf } from '../vector/vector-of.ts'
import type { Vector } from '../vector/vector.ts'
import { createSearchedColumns, makeChunkWords } from './chunk-words.ts'
import { type BlockEdits, editBlocks, Outdated } from './edit-blocks.ts'
import { interruptedFolds } from './fold-row.ts'
import type { KeptTable } from './keeper-limits.ts'
import { readColumns } from './read-columns.ts'

/** So many records are read at a time: the largest fill less than 100 MB. */
const recordsPerRead = 200

/**
 * Makes the blocks and the words of a chunk anew from its records, whatever was in them. The log is folded as before:
 * rows that it has of these records are older. A record that is unreadable is left out, and `tell` hears of it. False when
 * a fold was in flight or faster: call again.
 */
export async function rebuildChunk(kept: KeptTable, chunk: number, tell?: TellUnreadable): Promise<boolean> {
  const { store, tenant, model } = kept
  const manifest = await readManifest(store, tenant, model)
  const interrupted = await interruptedFolds(kept)
  if (!interrupted) return false
  const edits = await editBlocks(kept, manifest, [chunk], interrupted)
  try {
    const growth = await replaceChunk(kept, edits, chunk, tell)
    const { folded, n, size, checked, live } = manifest
    return await edits.commit({ folded, n, size, checked, live: live + growth })
  } catch (error) {
    if (!(error instanceof Outdated)) throw error
    await edits.abandon()
    return false
  }
}

/** Answers by how much the number of living records grew. */
async function replaceChunk(
  kept: KeptTable,
  edits: BlockEdits,
  chunk: number,
  tell: TellUnreadable | undefined,
): Promise<number> {
  const { blocks, leftOut } = edits.manifest
  const { before, stamps } = await knownStamps(kept, edits, chunk)
  const columns = await readValues(kept, edits, chunk, stamps, tell)
  const searched = createSearchedColumns(await kept.tables.find(kept.tenant, kept.model))
  for (const column of leftOut) columns.delete(column)
  columns.set(stampColumn, stamps)
  for (const column of blocks.keys()) if (!columns.has(column)) columns.set(column, [])
  for (const [column, values] of columns) {
    const vector = vectorOf(values)
    columns.set(column, [])
    searched.keepAfter(column, vector)
    await edits.replaceBlock({ column, chunk }, vector && encodeBlock(vector))
    await edits.showSign()
    await giveWay()
  }
  if (stamps.length > 0) await makeChunkWords(edits, chunk, searched)
  return stamps.filter(isLiving).length - before
}

const isLiving = (stamp: Value): boolean => typeof stamp === 'number' && isLivingStamp(stamp)

/** The stamps of the chunk, all of them gone: what is not there any more stays known. */
async function knownStamps(
  kept: KeptTable,
  edits: BlockEdits,
  chunk: number,
): Promise<{ readonly before: number; readonly stamps: Value[] }> {
  let known: Vector | undefined
  for await (const [, vector] of readColumns(kept, edits, chunk, [stampColumn])) known = vector
  const stamps = Array.from({ length: known?.length ?? 0 }, (_, position) => known?.get(position) ?? null)
  return {
    before: stamps.filter(isLiving).length,
    stamps: stamps.map((stamp) => (typeof stamp === 'number' && isLivingStamp(stamp) ? stamp + 1 : stamp)),
  }
}

/** The values of the chunk's records by column; puts their stamps into `stamps`. */
async function readValues(
  { store, tenant, model }: KeptTable,
  edits: BlockEdits,
  chunk: number,
  stamps: Value[],
  tell: TellUnreadable | undefined,
): Promise<Map<string, Value[]>> {
  const columns = new Map<string, Value[]>()
  const { last } = await readSequence(store, tenant, model)
  const end = Math.min(last + 1, idAt(chunk + 1, 0))
  for (let start = idAt(chunk, 0); start < end; start += recordsPerRead) {
    const ids = Array.from({ length: Math.min(recordsPerRead, end - start) }, (_, index) => start + index)
    const items = await store.getMany(
      tenant,
      ids.map((id) => recordKey(tenant, model, id)),
    )
    const rows = items.flatMap((item) => (item ? [readableRow(item, tell)] : []))
    const held = columnsOfRows(rows)
    for (const row of rows) {
      const position = positionOf(row.id)
      set(stamps, position, stampOf(row))
      for (const column of held) {
        const value = valueIn(row, column)
        if (value === null) continue
        let values = columns.get(column)
        if (!values) columns.set(column, (values = []))
        set(values, position, value)
      }
    }
    await edits.showSign()
  }
  return columns
}

function set(values: Value[], position: number, value: Value): void {
  while (values.length < Math.min(position, chunkIds)) values.push(null)
  values[position] = value
}
