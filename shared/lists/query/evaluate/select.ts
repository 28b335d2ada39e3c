import { chunkIds } from '../../columns/chunk.ts'
import type { ColumnView } from '../../columns/reader/view.ts'
import { runLoop } from '../../columns/vector/number-kernels.ts'
import { applyCondition, type Condition } from './apply-condition.ts'
import { copyOf, countOf, giveBack, givePositions, positionsOf, takePositions } from './masks.ts'
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
  /** How many there are, at least one. */
  readonly count: number
  /** Their positions, rising. */
  positions(): Uint16Array
  /** Those among them whose long texts no column has: whether they pass is not known. */
  readonly doubtful: Uint16Array | undefined
}

/**
 * Chunk by chunk the living records that pass a condition. `mayDoubt`: long texts may be missing in columns; `descending`:
 * from the last chunk to the first.
 */
export async function* selectChunks(
  { view, condition, turn }: Selecting,
  mayDoubt = false,
  descending = false,
): AsyncGenerator<SelectedChunk> {
  const room = takePositions()
  // Chunks may be added meanwhile, at the end.
  const last = view.chunks - 1
  try {
    for (let next = 0; next < (descending ? last + 1 : view.chunks); next += 1) {
      const chunk = descending ? last - next : next
      const later = turn()
      if (later) await later
      for (let waiting = view.ready(chunk); waiting; waiting = view.ready(chunk)) await waiting
      const alive = view.alive(chunk)
      if (!alive) continue
      const mask = copyOf(alive)
      applyCondition(view, chunk, condition, mask, true)
      const count = countOf(mask)
      if (count > 0) {
        const doubtful = mayDoubt ? doubtfulOf(view, chunk, condition, mask) : undefined
        let found: Uint16Array | undefined
        const positions = (): Uint16Array => (found ??= positionsOf(mask, count, room))
        yield { chunk, count, positions, doubtful }
      }
      giveBack(mask)
    }
  } finally {
    givePositions(room)
  }
}

function doubtfulOf(view: ColumnView, chunk: number, condition: Condition, keepUncertain: Uint8Array): Uint16Array {
  const certain = keepUncertain.slice()
  applyCondition(view, chunk, condition, certain, false)
  const doubtful = keepUncertain.slice()
  for (let i = 0; i < doubtful.length; i += 1) doubtful[i] = (doubtful[i] as number) & ~(certain[i] as number)
  return positionsOf(doubtful, countOf(doubtful), new Uint16Array(doubtful.length + 1))
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
  let [count, next, looked] = [0, 0, 0]
  for await (const selected of selectChunks(selecting, mayDoubt)) {
    const positions = selected.positions()
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
    // Between two chunks, because a chunk is selected and read at one moment. The first ones tell about how many there
    // will be: the sooner an evaluation has the memory that it needs, the less is copied.
    for (; next <= selected.chunk; next += 1) looked += selecting.view.liveIn(next)
    const turn = scratch.turnFor(Math.max(count + chunkIds, (count / looked) * selecting.view.live), count)
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

/** The ids at the ranks `from` up to `to` (excluded) of the selected records by id, and how many of these there are. */
export async function selectByRank(
  selecting: Selecting,
  { from, to }: { readonly from: number; readonly to: number },
  descending: boolean,
): Promise<{ readonly ids: readonly number[]; readonly count: number }> {
  const ids: number[] = []
  let before = 0
  for await (const { chunk, count, positions } of selectChunks(selecting, false, descending)) {
    for (let rank = Math.max(0, from - before); rank < Math.min(count, to - before); rank += 1)
      ids.push(chunk * chunkIds + (positions()[descending ? count - 1 - rank : rank] as number))
    before += count
  }
  return { ids, count: before }
}
