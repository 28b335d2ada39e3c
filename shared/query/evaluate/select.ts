import { chunkIds, type ColumnView, runLoop } from '../../columns/service.ts'
import { copyOf, countOf, giveBack, positionsOf, positionsRoom } from './masks.ts'
import { type Condition, narrow } from './narrow.ts'
import { putInOrder, type SortSource } from './order/sort-levels.ts'
import type { Scratch } from './scratch.ts'

/** What selects records: the columns, the condition, and when to give way to others. */
export interface Selecting {
  readonly view: ColumnView
  readonly condition: Condition
  readonly turn: () => Promise<void> | undefined
}

/** The records of one chunk that pass. What is answered lasts until the next chunk is asked for. */
export interface SelectedChunk {
  readonly chunk: number
  /** Positions, rising. */
  readonly positions: Uint16Array
  /** Those among them whose long texts no column has: whether they pass is not known. */
  readonly doubtful: Uint16Array | undefined
}

/** Chunk by chunk the living records that pass a condition; `mayDoubt`: long texts may be missing in columns. */
export async function* selectChunks(
  { view, condition, turn }: Selecting,
  mayDoubt = false,
): AsyncGenerator<SelectedChunk> {
  const room = positionsRoom()
  for (let chunk = 0; chunk < view.chunks; chunk += 1) {
    const later = turn()
    if (later) await later
    for (let waiting = view.ready(chunk); waiting; waiting = view.ready(chunk)) await waiting
    const alive = view.alive(chunk)
    if (!alive) continue
    const mask = copyOf(alive)
    narrow(view, chunk, condition, mask, true)
    const count = countOf(mask)
    const positions = positionsOf(mask, count, room)
    const doubtful = mayDoubt ? doubtfulOf(view, chunk, condition, mask) : undefined
    giveBack(mask)
    if (count > 0) yield { chunk, positions, doubtful }
  }
}

function doubtfulOf(view: ColumnView, chunk: number, condition: Condition, generous: Uint8Array): Uint16Array {
  const certain = generous.slice()
  narrow(view, chunk, condition, certain, false)
  const doubtful = generous.slice()
  for (let i = 0; i < doubtful.length; i += 1) doubtful[i] = (doubtful[i] as number) & ~(certain[i] as number)
  return positionsOf(doubtful, countOf(doubtful))
}

/** The records that pass a condition, numbered from 0 by rising id. */
export interface Selection {
  readonly ids: Uint32Array
  /** Their first sort keys in the order of the list; undefined when that order is by id. */
  readonly keys: Float64Array | undefined
  readonly doubtful: readonly number[]
}

/**
 * Selects records and reads their first sort key with them, so that both are of one moment. The answer lies in
 * `scratch`.
 */
export async function selectRecords(
  selecting: Selecting,
  first: SortSource | undefined,
  scratch: Omit<Scratch, 'release'>,
  mayDoubt: boolean,
): Promise<Selection> {
  const doubtful: number[] = []
  let count = 0
  for await (const selected of selectChunks(selecting, mayDoubt)) {
    const { positions } = selected
    const start = selected.chunk * chunkIds
    const end = count + positions.length
    runLoop(writeIds, positions, start, scratch.ids(end), count)
    if (first) {
      const keys = scratch.keys(end)
      first.keys.read(selected.chunk, positions, keys, count)
      putInOrder(keys.subarray(count, end), first.descending)
    }
    for (const position of selected.doubtful ?? []) doubtful.push(start + position)
    count = end
    // Between two chunks, because a chunk is selected and read at one moment.
    const turn = scratch.turnFor(count + chunkIds)
    if (turn) await turn
  }
  return {
    ids: scratch.ids(count).subarray(0, count),
    keys: first && scratch.keys(count).subarray(0, count),
    doubtful,
  }
}

function writeIds(positions: Uint16Array, start: number, ids: Uint32Array, at: number): void {
  for (let i = 0; i < positions.length; i += 1) ids[at + i] = start + positions[i]!
}
