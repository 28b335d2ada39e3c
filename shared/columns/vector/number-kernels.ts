/** Loops over the numbers of a vector: one function for each kind of array, since V8 makes each as tight as in C. */

/**
 * Calls a loop so that V8 does not inline it. Maglev would, and the loop would then stay as Maglev compiled it, several
 * times slower than the optimizing compiler makes it once it is a function of its own.
 */
export function runLoop<Values extends unknown[]>(loop: (...values: Values) => void, ...values: Values): void {
  Reflect.apply(loop, undefined, values)
}

export type WholeArray = Uint8Array | Uint16Array | Uint32Array
export type NumberArray = WholeArray | Float64Array

/** Clears the bytes of the mask whose number is not from `least` to `most`. The mask is not longer than the data. */
export function keepRange(mask: Uint8Array, data: NumberArray, least: number, most: number): void {
  if (data instanceof Float64Array) runLoop(keepDoubles, mask, data, least, most)
  else if (data instanceof Uint8Array) runLoop(keepBytes, mask, data, least, most)
  else if (data instanceof Uint16Array) runLoop(keepShorts, mask, data, least, most)
  else runLoop(keepWords, mask, data, least, most)
}

function keepBytes(mask: Uint8Array, data: Uint8Array, least: number, most: number): void {
  for (let i = 0; i < mask.length; i += 1) mask[i]! &= +(data[i]! >= least) & +(data[i]! <= most)
}
function keepShorts(mask: Uint8Array, data: Uint16Array, least: number, most: number): void {
  for (let i = 0; i < mask.length; i += 1) mask[i]! &= +(data[i]! >= least) & +(data[i]! <= most)
}
function keepWords(mask: Uint8Array, data: Uint32Array, least: number, most: number): void {
  for (let i = 0; i < mask.length; i += 1) mask[i]! &= +(data[i]! >= least) & +(data[i]! <= most)
}
function keepDoubles(mask: Uint8Array, data: Float64Array, least: number, most: number): void {
  for (let i = 0; i < mask.length; i += 1) mask[i]! &= +(data[i]! >= least) & +(data[i]! <= most)
}

/** Clears the bytes of the mask where another one, which is not shorter, has 0. */
export const keepMask = (mask: Uint8Array, other: Uint8Array): void => runLoop(keepCommon, mask, other)

function keepCommon(mask: Uint8Array, other: Uint8Array): void {
  for (let i = 0; i < mask.length; i += 1) mask[i]! &= other[i]!
}

/** Clears the bytes of the mask whose code has 0 in `table`, which has a place for every code there is. */
export function keepTable(mask: Uint8Array, codes: Uint8Array | Uint16Array, table: Uint8Array): void {
  if (codes instanceof Uint8Array) runLoop(keepByteCodes, mask, codes, table)
  else runLoop(keepShortCodes, mask, codes, table)
}

function keepByteCodes(mask: Uint8Array, codes: Uint8Array, table: Uint8Array): void {
  for (let i = 0; i < mask.length; i += 1) mask[i]! &= table[codes[i]!]!
}
function keepShortCodes(mask: Uint8Array, codes: Uint16Array, table: Uint8Array): void {
  for (let i = 0; i < mask.length; i += 1) mask[i]! &= table[codes[i]!]!
}

/** Clears the bytes of the mask whose number is not one of a few. The mask is not longer than the data. */
export function keepEqual(mask: Uint8Array, data: Uint32Array | Float64Array, wanted: readonly number[]): void {
  const found = new Uint8Array(mask.length)
  for (const number of wanted) {
    if (data instanceof Float64Array) runLoop(markDoubles, found, data, number)
    else runLoop(markWords, found, data, number)
  }
  for (let i = 0; i < mask.length; i += 1) mask[i]! &= found[i]!
}

function markWords(found: Uint8Array, data: Uint32Array, number: number): void {
  for (let i = 0; i < found.length; i += 1) found[i]! |= +(data[i] === number)
}
function markDoubles(found: Uint8Array, data: Float64Array, number: number): void {
  for (let i = 0; i < found.length; i += 1) found[i]! |= +(data[i] === number)
}

/** Clears the bytes of the mask unless `table` has 1 for the number: the code, which is not 0, and `shift`. */
export function keepMembers(mask: Uint8Array, data: WholeArray, shift: number, table: Uint8Array): void {
  for (let i = 0; i < mask.length; i += 1) {
    const code = data[i]!
    const number = code + shift
    mask[i]! &= code !== 0 && number >= 0 && number < table.length ? table[number]! : 0
  }
}

/** The same for doubles. */
export function keepDoubleMembers(mask: Uint8Array, data: Float64Array, table: Uint8Array): void {
  for (let i = 0; i < mask.length; i += 1) {
    const number = data[i]!
    mask[i]! &= number >= 0 && number < table.length && Math.floor(number) === number ? table[number]! : 0
  }
}

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
