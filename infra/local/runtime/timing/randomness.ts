import { hash } from 'node:crypto'

/** 0 ≤ value < 1 */
export type Random = () => number

/**
 * Randomness that a seed repeats: one sequence for each purpose, so that one part of the cloud that draws more or less does
 * not change what another part draws.
 */
export function seededRandomness(seed: number): (purpose: string) => Random {
  return (purpose) => {
    let state = Number.parseInt(hash('md5', `${seed}/${purpose}`).slice(0, 8), 16)
    // mulberry32
    return () => {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    }
  }
}
