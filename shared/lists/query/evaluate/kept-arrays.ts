type NumberArray = Float64Array | Uint32Array | Uint16Array

/** Memory that requests use one after the other. */
export interface KeptArrays<A extends NumberArray> {
  /** An array of this length at least, whose numbers may be any. */
  take(length: number): A
  /** Lets others have it. It must not be used afterwards. */
  give(array: A): void
}

/**
 * Keeps up to `most` arrays for the next request: fresh memory costs more than what is written into it, and much of it
 * sets the garbage collector to work. Longer ones than `longest` are not kept.
 */
export function keptArrays<A extends NumberArray>(
  create: (length: number) => A,
  most: number,
  longest: number,
): KeptArrays<A> {
  /** By length, the longest last. */
  const free: A[] = []
  return {
    take(length) {
      const last = free.at(-1)
      return last && last.length >= length ? (free.pop() as A) : create(length)
    },
    give(array) {
      if (array.length === 0 || array.length > longest) return
      free.push(array)
      free.sort((a, b) => a.length - b.length)
      if (free.length > most) free.shift()
    },
  }
}

/** For what is noted of groups: their values, and what is measured of them. */
export const keptDoubles = keptArrays((length) => new Float64Array(length), 6, 2 ** 17)
