/** A number from 0 up to n, excluded, from a seed (mulberry32). */
export type Random = (n: number) => number

export function randomFrom(seed: number): Random {
  let state = seed
  return (n) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * n)
  }
}
