import { chunkOf } from '../../columns/chunk.ts'
import type { ColumnView } from '../../columns/reader/view.ts'
import type { Scalar } from '../../columns/scalar.ts'

/** At once when everything is in memory. */
export type Awaitable<T> = T | Promise<T>

/** The values of records, in the order of their ids; undefined where there is none. */
export type ValuesOf = (ids: ArrayLike<number>) => Awaitable<(Scalar | undefined)[]>

/** Maps a value, synchronously when it is there. */
export const afterwards = <T, R>(value: Awaitable<T>, goOn: (value: T) => Awaitable<R>): Awaitable<R> =>
  value instanceof Promise ? value.then(goOn) : goOn(value)

/** Continues once a chunk is in memory, at once when it is. */
export function whenReady<T>(ready: ColumnView['ready'], chunk: number, goOn: () => Awaitable<T>): Awaitable<T> {
  const waiting = ready(chunk)
  // Meanwhile somebody may have asked the same view for another chunk.
  return waiting ? waiting.then(() => whenReady(ready, chunk, goOn)) : goOn()
}

/**
 * Calls `read` for each run of ids in one chunk, from index `from` up to `to` (excluded), once the chunk is in memory.
 * Answers a promise only when it has to wait for one. Rising ids load each chunk once.
 */
export function byChunk(
  ready: ColumnView['ready'],
  ids: ArrayLike<number>,
  read: (chunk: number, from: number, to: number) => void,
): Promise<void> | undefined {
  let from = 0
  function goOn(): Promise<void> | undefined {
    while (from < ids.length) {
      const chunk = chunkOf(ids[from] as number)
      const waiting = ready(chunk)
      if (waiting) return waiting.then(goOn)
      let to = from + 1
      while (to < ids.length && chunkOf(ids[to] as number) === chunk) to += 1
      read(chunk, from, to)
      from = to
    }
    return undefined
  }
  return goOn()
}

/** Values that are read chunk by chunk with `valueAt`. */
export function valuesByChunk(
  ready: ColumnView['ready'],
  ids: ArrayLike<number>,
  valueAt: (chunk: number, id: number) => Scalar | undefined,
): Awaitable<(Scalar | undefined)[]> {
  const values = Array.from<Scalar | undefined>({ length: ids.length })
  const waiting = byChunk(ready, ids, (chunk, from, to) => {
    for (let index = from; index < to; index += 1) values[index] = valueAt(chunk, ids[index] as number)
  })
  return waiting ? waiting.then(() => values) : values
}

/** So many values are in memory at a time. */
const valuesAtOnce = 4096

/** The values of many records, piece by piece: `take` gets them with the index of the first. */
export async function eachPiece(
  valuesOf: ValuesOf,
  ids: Uint32Array,
  take: (values: readonly (Scalar | undefined)[], from: number) => void,
): Promise<void> {
  for (let from = 0; from < ids.length; from += valuesAtOnce)
    take(await valuesOf(ids.subarray(from, from + valuesAtOnce)), from)
}
