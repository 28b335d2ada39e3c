import type { TailWords } from '../../search/tail-words.ts'
import { chunkIds, chunkOf, idAt, positionOf } from '../chunk.ts'
import { type LogRow, packedRow, stampOf } from '../log-entry.ts'
import type { Manifest } from '../manifest.ts'
import { valueIn } from '../row-values.ts'
import { setValue } from '../vector/set-value.ts'
import type { Vector } from '../vector/vector.ts'
import { type ChunkStamps, emptyStamps, lastPosition, setStamp, stampAt, stampBytes } from './chunk-stamps.ts'
import { emptyTail, prunedTail, putTailRow, type Tail, tailRowAt } from './tail.ts'

/** A column as far as it is in memory. */
export interface HeldColumn {
  readonly name: string
  /** By chunk; undefined: in memory, and every value is missing. */
  readonly cells: Map<number, Vector | undefined>
  /** As measured last. */
  bytes: number
  /** The tick of its last use. */
  usedAt: number
}

/**
 * What a process knows of one table: a manifest, and all that was told since. A row changes all of it at once, without
 * waiting in between. Vectors are of the manifest's blocks with the rows of the tail applied.
 */
export interface TableState {
  manifest: Manifest
  /** The log entry applied last. */
  seq: number
  readonly chunks: Map<number, ChunkStamps>
  readonly columns: Map<string, HeldColumn>
  tail: Tail
  /** How many rows were applied. */
  applied: number
  /** The greatest id known; 0 for none. */
  last: number
  /** The words of the tail, once a search needed them. */
  searched: SearchedTail | undefined
}

/** The words of the rows in a tail. */
export interface SearchedTail {
  /** Identifies the searched fields. */
  readonly config: string
  /** The manifest that the tail begins after. */
  manifest: Manifest
  readonly words: TailWords
  /** The order of the newest row that it has. */
  order: number
  /** Pending while rows are added. */
  inStep: Promise<void> | undefined
  /** By chunk the positions of the tail, rising, as of some order. A search in use keeps the map that it has. */
  positions?: { readonly order: number; readonly byChunk: ReadonlyMap<number, Uint16Array> } | undefined
}

/**
 * The state as of a manifest. `stamps`: those of the chunks whose block is not the one that `before` has; `news`: which
 * of these chunks say something new. All others and their vectors are shared with `before`, and so are rows that the
 * manifest does not have.
 */
export function stateOf(
  manifest: Manifest,
  stamps: ReadonlyMap<number, ChunkStamps>,
  news: ReadonlySet<number>,
  before: TableState | undefined,
): TableState {
  const chunks = new Map(before?.chunks)
  for (const chunk of news) chunks.set(chunk, stamps.get(chunk) as ChunkStamps)
  const state: TableState = {
    manifest,
    seq: Math.max(manifest.folded, before?.seq ?? 0),
    chunks,
    columns: new Map(),
    tail: before ? prunedTail(before.tail, manifest.folded, stamps) : emptyTail(),
    applied: before?.applied ?? 0,
    last: 0,
    searched: undefined,
  }
  for (const chunk of news) {
    for (const [position, { row }] of state.tail.chunks.get(chunk) ?? []) {
      setStamp(chunks.get(chunk) as ChunkStamps, position, stampOf(row))
    }
  }
  for (const [chunk, own] of chunks) state.last = Math.max(state.last, idAt(chunk, lastPosition(own)))
  for (const [name, held] of before?.columns ?? []) {
    const cells = new Map([...held.cells].filter(([chunk]) => !news.has(chunk)))
    state.columns.set(name, { ...held, cells, bytes: cellBytes(cells) })
  }
  return state
}

/** Takes over a newer manifest without changed chunks: only the tail gets shorter. */
export function adoptManifest(state: TableState, manifest: Manifest, stamps: ReadonlyMap<number, ChunkStamps>): void {
  state.manifest = manifest
  state.seq = Math.max(manifest.folded, state.seq)
  state.tail = prunedTail(state.tail, manifest.folded, stamps)
}

/**
 * Applies what a record became. False when that, or something newer, is known. `seq`: the log entry it came with, or
 * Infinity.
 */
export function applyRow(state: TableState, row: LogRow, seq: number): boolean {
  const [chunk, position, stamp] = [chunkOf(row.id), positionOf(row.id), stampOf(row)]
  const known = stampAt(state.chunks.get(chunk), position)
  if (known >= stamp) {
    const told = known === stamp ? tailRowAt(state.tail, chunk, position) : undefined
    if (told && seq < told.seq) told.seq = seq
    return false
  }
  setStamp(chunkOfState(state, chunk), position, stamp)
  state.last = Math.max(state.last, row.id)
  for (const { name, cells } of state.columns.values()) {
    if (cells.has(chunk)) cells.set(chunk, setValue(cells.get(chunk), position, valueIn(row, name)))
  }
  state.applied += 1
  putTailRow(state.tail, chunk, position, { row: packedRow(row), seq, order: state.applied })
  return true
}

/** A chunk to write to. A new one has no blocks, so that all columns have it at once. */
function chunkOfState(state: TableState, chunk: number): ChunkStamps {
  const known = state.chunks.get(chunk)
  if (known) return known
  const fresh = emptyStamps()
  state.chunks.set(chunk, fresh)
  for (const { cells } of state.columns.values()) if (!cells.has(chunk)) cells.set(chunk, undefined)
  return fresh
}

/** Holds a loaded block, with the rows that came after it. */
export function holdCell(state: TableState, column: string, chunk: number, block: Vector | undefined): void {
  let vector = block
  for (const [position, { row }] of state.tail.chunks.get(chunk) ?? []) {
    vector = setValue(vector, position, valueIn(row, column))
  }
  const held = heldColumn(state, column)
  held.cells.set(chunk, vector)
  held.bytes += vectorBytes(vector)
}

/** A column to hold cells of. From now on it has every new chunk. */
export function heldColumn(state: TableState, name: string): HeldColumn {
  const known = state.columns.get(name)
  if (known) return known
  const fresh = { name, cells: new Map(), bytes: 0, usedAt: 0 }
  state.columns.set(name, fresh)
  return fresh
}

/** Whether the values of a column for a chunk are in memory. */
export const isHeld = (state: TableState, column: string, chunk: number): boolean =>
  !state.chunks.has(chunk) || state.columns.get(column)?.cells.has(chunk) === true

/** The stamp of a record; 0 when none ever was. */
export const stampOfId = (state: TableState, id: number): number =>
  stampAt(state.chunks.get(chunkOf(id)), positionOf(id))

/** How many chunks there are, from 0 up to the one of the greatest id. */
export const chunkCount = ({ last, chunks }: TableState): number =>
  chunks.size === 0 ? 0 : Math.floor(last / chunkIds) + 1

/** How many records live. */
export function liveCount({ chunks }: TableState): number {
  let live = 0
  for (const chunk of chunks.values()) live += chunk.live
  return live
}

/** The memory of what is always there: stamps and the tail, with its words once they were searched. */
export function baseBytes({ chunks, tail, searched }: TableState): number {
  let bytes = tail.bytes + (searched?.words.bytes ?? 0)
  for (const chunk of chunks.values()) bytes += stampBytes(chunk)
  return bytes
}

/** A cell takes some memory even when all its values are missing. */
const vectorBytes = (vector: Vector | undefined): number => 100 + (vector?.bytes ?? 0)

export function cellBytes(cells: ReadonlyMap<number, Vector | undefined>): number {
  let bytes = 0
  for (const vector of cells.values()) bytes += vectorBytes(vector)
  return bytes
}
