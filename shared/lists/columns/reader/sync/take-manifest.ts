import { createTurns } from '../../../../kernel/runtime/give-way.ts'
import { blockName, readBlocks, stampColumn, type WantedBlock } from '../../blocks.ts'
import { chunkIds } from '../../chunk.ts'
import { type Manifest, readManifest } from '../../manifest.ts'
import { decodeBlock } from '../../vector/blocks/decode-block.ts'
import type { Vector } from '../../vector/vector.ts'
import { type ChunkStamps, maxStampBytes, stampAt, stampsOfVector } from '../chunk-stamps.ts'
import { type ColumnTable, type Memory, pinnedColumns, type ReaderDependencies } from '../column-table.ts'
import { blockBytes, estimatedBytes } from '../memory/estimate-bytes.ts'
import { missingBlock } from '../memory/load-columns.ts'
import { adoptManifest, holdCell, stateOf, type TableState } from '../table-state.ts'
import { tailRowAt } from '../tail.ts'

/** Columns that views wait for are read with the stamps, in one trip, while they have no more bytes than this. */
const maxBytesAhead = 4 * 1024 * 1024

/**
 * Continues with a manifest, or with a newer one when a fold replaces blocks meanwhile. The stamps of changed chunks are
 * read: a chunk of which the columns know all is kept, and any other makes a new state, which shares what is the same.
 * Views in use go on with the state that they have.
 */
export async function takeManifest(readers: ReaderDependencies, table: ColumnTable, first: Manifest): Promise<void> {
  const { store, memory } = readers
  const { tenant, model } = table
  for (let manifest = first; ;) {
    const before = table.state
    if (before && before.manifest.rev >= manifest.rev) return
    const changed = changedChunks(manifest, before?.manifest)
    const isBehind = !before || before.seq < manifest.folded
    const ahead = isBehind ? cellsAhead(memory, table, manifest, changed) : []
    const wanted = [...changed.map((chunk) => ({ column: stampColumn, chunk })), ...ahead]
    const blocks = await readBlocks(store, tenant, model, manifest, wanted)
    if (!blocks) {
      const next = await readManifest(store, tenant, model)
      if (next.rev === manifest.rev) throw missingBlock(model, manifest)
      manifest = next
      continue
    }
    const vectors = await decodeAll(blocks)
    // Nothing waits from here on: what was applied to the state until now is in the new one.
    const stamps = new Map(changed.map((chunk) => [chunk, stampsOfVector(vectors.get(stampBlock(chunk)))]))
    const news = new Set(changed.filter((chunk) => hasNews(before, manifest, chunk, stamps.get(chunk) as ChunkStamps)))
    if (before && news.size === 0) {
      adoptManifest(before, manifest, stamps)
      return
    }
    const state = stateOf(manifest, stamps, news, before)
    for (const { column, chunk } of ahead) {
      if (news.has(chunk)) holdCell(state, column, chunk, vectors.get(blockName({ column, chunk })))
    }
    table.state = state
    return
  }
}

/** The chunks whose records are not those of the manifest before: each fold and each repair makes new stamps. */
function changedChunks(manifest: Manifest, before: Manifest | undefined): number[] {
  const known = before?.blocks.get(stampColumn)
  return [...(manifest.blocks.get(stampColumn) ?? [])].flatMap(([chunk, [generation]]) =>
    known?.get(chunk)?.[0] === generation ? [] : [chunk],
  )
}

/** Whether the blocks of a changed chunk say anything else than the state does without its tail. */
function hasNews(before: TableState | undefined, manifest: Manifest, chunk: number, stamps: ChunkStamps): boolean {
  // Without a fold, blocks are replaced to repair them: whatever the columns know, the blocks are right.
  if (!before || before.manifest.folded === manifest.folded) return true
  const own = before.chunks.get(chunk)
  for (let position = 0; position < chunkIds; position += 1) {
    const [known, told] = [stampAt(own, position), stampAt(stamps, position)]
    if (told > known || (told < known && !tailRowAt(before.tail, chunk, position))) return true
  }
  return false
}

const stampBlock = (chunk: number): string => blockName({ column: stampColumn, chunk })

/** The cells of changed chunks that views wait for, if they are few and there is room. */
function cellsAhead(
  memory: Memory,
  table: ColumnTable,
  manifest: Manifest,
  chunks: readonly number[],
): readonly WantedBlock[] {
  const columns = [...pinnedColumns(table)].filter((column) => !manifest.leftOut.has(column))
  const cells = columns.flatMap((column) => chunks.map((chunk) => ({ column, chunk })))
  const bytes = cells.reduce((sum, cell) => sum + blockBytes(cell, manifest), 0)
  const hasRoom = memory.makeRoom(chunks.length * maxStampBytes + estimatedBytes(cells, manifest))
  return bytes <= maxBytesAhead && hasRoom ? cells : []
}

async function decodeAll(blocks: ReadonlyMap<string, Uint8Array>): Promise<Map<string, Vector>> {
  const nextTurn = createTurns()
  const vectors = new Map<string, Vector>()
  for (const [name, block] of blocks) {
    vectors.set(name, decodeBlock(block))
    const turn = nextTurn()
    if (turn) await turn
  }
  return vectors
}
