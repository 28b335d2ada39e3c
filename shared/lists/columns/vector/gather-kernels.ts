/** Loops that copy what some positions of a vector have: one function for each kind of array, as in `number-kernels.ts`. */
import { runLoop, type WholeArray } from './number-kernels.ts'

/** How many of these positions, which rise, are below `length`. A test in each round of a loop would cost more. */
function countBelow(positions: Uint16Array, length: number): number {
  let [low, high] = [0, positions.length]
  if (high === 0 || positions[high - 1]! < length) return high
  while (low < high) {
    const middle = (low + high) >> 1
    if (positions[middle]! < length) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Copies the numbers of some positions, which rise, with `shift` added, from `at` on; NaN where there is none (code 0, or
 * no place).
 */
export function gatherWhole(
  data: WholeArray,
  shift: number,
  positions: Uint16Array,
  out: Float64Array,
  at: number,
): void {
  const count = countBelow(positions, data.length)
  const held = positions.subarray(0, count)
  if (data instanceof Uint8Array) runLoop(gatherBytes, data, shift, held, out, at)
  else if (data instanceof Uint16Array) runLoop(gatherShorts, data, shift, held, out, at)
  else runLoop(gatherWords, data, shift, held, out, at)
  out.fill(Number.NaN, at + count, at + positions.length)
}

/** Added to a code: where many numbers are missing, a branch would be guessed wrong. */
const missing = Float64Array.of(0, Number.NaN)

function gatherBytes(data: Uint8Array, shift: number, positions: Uint16Array, out: Float64Array, at: number): void {
  for (let k = 0; k < positions.length; k += 1) {
    const code = data[positions[k]!]!
    out[at + k] = code + shift + missing[+(code === 0)]!
  }
}
function gatherShorts(data: Uint16Array, shift: number, positions: Uint16Array, out: Float64Array, at: number): void {
  for (let k = 0; k < positions.length; k += 1) {
    const code = data[positions[k]!]!
    out[at + k] = code + shift + missing[+(code === 0)]!
  }
}
function gatherWords(data: Uint32Array, shift: number, positions: Uint16Array, out: Float64Array, at: number): void {
  for (let k = 0; k < positions.length; k += 1) {
    const code = data[positions[k]!]!
    out[at + k] = code + shift + missing[+(code === 0)]!
  }
}

/** The same for doubles. */
export function gatherDoubles(data: Float64Array, positions: Uint16Array, out: Float64Array, at: number): void {
  const count = countBelow(positions, data.length)
  runLoop(copyDoubles, data, positions.subarray(0, count), out, at)
  out.fill(Number.NaN, at + count, at + positions.length)
}

function copyDoubles(data: Float64Array, positions: Uint16Array, out: Float64Array, at: number): void {
  for (let k = 0; k < positions.length; k += 1) out[at + k] = data[positions[k]!]!
}

/** Copies `table`'s number for the code of some positions, which rise; a position beyond the codes has code 0. */
export function gatherTable(
  codes: Uint8Array | Uint16Array,
  positions: Uint16Array,
  table: Float64Array,
  out: Float64Array,
  at: number,
): void {
  const count = countBelow(positions, codes.length)
  const held = positions.subarray(0, count)
  if (codes instanceof Uint8Array) runLoop(gatherOfBytes, codes, held, table, out, at)
  else runLoop(gatherOfShorts, codes, held, table, out, at)
  out.fill(table[0]!, at + count, at + positions.length)
}

function gatherOfBytes(
  codes: Uint8Array,
  positions: Uint16Array,
  table: Float64Array,
  out: Float64Array,
  at: number,
): void {
  for (let k = 0; k < positions.length; k += 1) out[at + k] = table[codes[positions[k]!]!]!
}
function gatherOfShorts(
  codes: Uint16Array,
  positions: Uint16Array,
  table: Float64Array,
  out: Float64Array,
  at: number,
): void {
  for (let k = 0; k < positions.length; k += 1) out[at + k] = table[codes[positions[k]!]!]!
}

/** The same for whole numbers, from the beginning of `out` on. */
export function gatherGroupTable(
  codes: Uint8Array | Uint16Array,
  positions: Uint16Array,
  table: Uint32Array,
  out: Uint32Array,
): void {
  const count = countBelow(positions, codes.length)
  const held = positions.subarray(0, count)
  if (codes instanceof Uint8Array) runLoop(groupsOfBytes, codes, held, table, out)
  else runLoop(groupsOfShorts, codes, held, table, out)
  out.fill(table[0]!, count, positions.length)
}

function groupsOfBytes(codes: Uint8Array, positions: Uint16Array, table: Uint32Array, out: Uint32Array): void {
  for (let k = 0; k < positions.length; k += 1) out[k] = table[codes[positions[k]!]!]!
}
function groupsOfShorts(codes: Uint16Array, positions: Uint16Array, table: Uint32Array, out: Uint32Array): void {
  for (let k = 0; k < positions.length; k += 1) out[k] = table[codes[positions[k]!]!]!
}

/**
 * Writes to `out` what `table` has for the number of some positions, which rise: at the number plus 1, and at 0 for
 * none. The table has a place for each number there may be (codes of one or two bytes, `base` not below 0). The indexes
 * of numbers for which it has 0 are listed in `others`, which has room for one more than all. Answers how many there are.
 */
export function gatherGroups(
  data: Uint8Array | Uint16Array,
  base: number,
  positions: Uint16Array,
  table: Uint32Array,
  out: Uint32Array,
  others: Uint16Array,
): number {
  const count = countBelow(positions, data.length)
  const held = positions.subarray(0, count)
  if (data instanceof Uint8Array) runLoop(groupBytes, data, base, held, table, out, others, listed)
  else runLoop(groupShorts, data, base, held, table, out, others, listed)
  out.fill(0, count, positions.length)
  return listed[0] as number
}

const listed = new Uint32Array(1)

function groupBytes(
  data: Uint8Array,
  base: number,
  positions: Uint16Array,
  table: Uint32Array,
  out: Uint32Array,
  others: Uint16Array,
  told: Uint32Array,
): void {
  let other = 0
  for (let i = 0; i < positions.length; i += 1) {
    const code = data[positions[i]!]!
    const group = table[code === 0 ? 0 : code + base]!
    out[i] = group
    // Without a branch: where there are many groups, the processor would guess wrong.
    others[other] = i
    other += +(group === 0) & +(code !== 0)
  }
  told[0] = other
}

function groupShorts(
  data: Uint16Array,
  base: number,
  positions: Uint16Array,
  table: Uint32Array,
  out: Uint32Array,
  others: Uint16Array,
  told: Uint32Array,
): void {
  let other = 0
  for (let i = 0; i < positions.length; i += 1) {
    const code = data[positions[i]!]!
    const group = table[code === 0 ? 0 : code + base]!
    out[i] = group
    // Without a branch: where there are many groups, the processor would guess wrong.
    others[other] = i
    other += +(group === 0) & +(code !== 0)
  }
  told[0] = other
}
