import { createTurns } from '../../../../kernel/runtime/give-way.ts'
import { blockName, readBlocks, type WantedBlock } from '../../blocks.ts'
import type { Manifest } from '../../manifest.ts'
import { decodeBlock } from '../../vector/blocks/decode-block.ts'
import { type ChunkRange, type ColumnTable, type Pin, type ReaderDependencies, stateOfTable } from '../column-table.ts'
import { cellBytes, chunkCount, heldColumn, holdCell, isHeld, type TableState } from '../table-state.ts'
import { blockBytes, estimatedBytes } from './estimate-bytes.ts'

/** How many bytes of blocks are read before there must be room again. */
const bytesAtOnce = 4 * 1024 * 1024
/** The part of all memory that one view may use for its window. */
const windowPart = 1 / 8
/** No chunk. */
const emptyWindow: ChunkRange = { from: 0, to: -1 }

/** Whether a view can be made: all that the pin needs is in memory, or it has a window. */
export function isReady(table: ColumnTable, pin: Pin): boolean {
  const state = stateOfTable(table)
  if (pin.window) return true
  const isUsed = (column: string): boolean => state.columns.has(column) || state.manifest.leftOut.has(column)
  return [...pin.columns].every(isUsed) && missingCells(state, pin, allChunks(state)).length === 0
}

const allChunks = (state: TableState): ChunkRange => ({ from: 0, to: chunkCount(state) - 1 })

/** Loads what a pin needs of all chunks. When it does not fit the memory, the pin gets an empty window instead. */
export async function loadColumns(readers: ReaderDependencies, table: ColumnTable, pin: Pin): Promise<void> {
  const { memory } = readers
  while (!pin.window) {
    const state = stateOfTable(table)
    useColumns(state, pin, memory.tick())
    const missing = missingCells(state, pin, allChunks(state))
    if (missing.length === 0) return
    const next = upTo(bytesAtOnce, missing, state.manifest)
    if (memory.makeRoom(estimatedBytes(next, state.manifest))) await loadCells(readers, table, next)
    else pin.window = emptyWindow
  }
}

/**
 * Moves the window of a pin to a chunk and those behind it that fit, and loads them. It makes room, and lets the chunks
 * before go, as far as others allow; it never waits for them.
 */
export async function moveWindow(
  readers: ReaderDependencies,
  table: ColumnTable,
  pin: Pin,
  chunk: number,
): Promise<void> {
  const { memory } = readers
  const maxBytes = memory.budgetBytes * windowPart
  pin.window = windowAt(stateOfTable(table), pin, chunk, maxBytes)
  for (;;) {
    const state = stateOfTable(table)
    useColumns(state, pin, memory.tick())
    const missing = missingCells(state, pin, pin.window)
    if (missing.length === 0) return
    memory.makeRoom(estimatedBytes(missing, state.manifest))
    await loadCells(readers, table, missing)
  }
}

/** The chunks from one on, in the direction that the window moves, whose vectors take at most so many bytes. */
function windowAt(state: TableState, pin: Pin, chunk: number, maxBytes: number): ChunkRange {
  const before = pin.window ?? emptyWindow
  const last = chunkCount(state) - 1
  const step = before === emptyWindow ? (chunk > last / 2 ? -1 : 1) : chunk < before.from ? -1 : 1
  let bytes = 0
  let end = chunk
  for (let next = chunk; next >= 0 && next <= Math.max(last, chunk); next += step) {
    bytes += estimatedBytes(cellsOf(state, pin, { from: next, to: next }), state.manifest)
    if (bytes > maxBytes && next !== chunk) break
    end = next
  }
  return { from: Math.min(chunk, end), to: Math.max(chunk, end) }
}

/** Marks the columns as used, and measures them: rows were applied since the last time. */
function useColumns(state: TableState, pin: Pin, tick: number): void {
  for (const name of pin.columns) {
    if (state.manifest.leftOut.has(name)) continue
    const column = heldColumn(state, name)
    column.usedAt = tick
    column.bytes = cellBytes(column.cells)
  }
}

/** The cells of some chunks that are not in memory. */
export const missingCells = (state: TableState, pin: Pin, range: ChunkRange): WantedBlock[] =>
  cellsOf(state, pin, range).filter(({ column, chunk }) => !isHeld(state, column, chunk))

function cellsOf(state: TableState, { columns }: Pin, { from, to }: ChunkRange): WantedBlock[] {
  const cells: WantedBlock[] = []
  for (let chunk = from; chunk <= to; chunk += 1) {
    for (const column of columns) if (!state.manifest.leftOut.has(column)) cells.push({ column, chunk })
  }
  return cells
}

/** The first cells, at least one, whose blocks have at most so many bytes. */
function upTo(most: number, cells: readonly WantedBlock[], manifest: Manifest): readonly WantedBlock[] {
  let bytes = 0
  const end = cells.findIndex((cell, index) => (bytes += blockBytes(cell, manifest)) > most && index > 0)
  return end < 0 ? cells : cells.slice(0, end)
}

/**
 * Loads cells that are not in memory. Cells that somebody else loads are waited for. Call again until none is missing:
 * a fold, or a gap in the log, may replace the state meanwhile.
 */
async function loadCells(
  readers: ReaderDependencies,
  table: ColumnTable,
  cells: readonly WantedBlock[],
): Promise<void> {
  const others = new Set<Promise<void>>()
  const own: WantedBlock[] = []
  for (const cell of cells) {
    const load = table.loads.get(blockName(cell))
    if (load) others.add(load)
    else own.push(cell)
  }
  if (own.length > 0) {
    const load = loadOwn(readers, table, own).finally(() => {
      for (const cell of own) table.loads.delete(blockName(cell))
    })
    for (const cell of own) table.loads.set(blockName(cell), load)
    others.add(load)
  }
  await Promise.all(others)
}

async function loadOwn(
  { store }: ReaderDependencies,
  table: ColumnTable,
  cells: readonly WantedBlock[],
): Promise<void> {
  const { tenant, model } = table
  const state = stateOfTable(table)
  const { manifest } = state
  const blocks = await readBlocks(store, tenant, model, manifest, cells)
  if (!blocks) {
    table.wantsManifest = true
    await table.inStep()
    if (stateOfTable(table).manifest.rev === manifest.rev) throw missingBlock(model, manifest)
    return
  }
  const nextTurn = createTurns()
  for (const cell of cells) {
    // Rows that are not in these blocks may have been let go meanwhile.
    if (table.state !== state || state.manifest !== manifest) return
    const { column, chunk } = cell
    const block = blocks.get(blockName(cell))
    if (!isHeld(state, column, chunk)) holdCell(state, column, chunk, block && decodeBlock(block))
    const turn = nextTurn()
    if (turn) await turn
  }
}

/** The error for blocks that the current manifest names and that are not there. */
export const missingBlock = (model: string, { rev }: Manifest): Error =>
  new Error(`blocks of the columns of ${model} are missing, although revision ${rev} of their manifest names them`)
