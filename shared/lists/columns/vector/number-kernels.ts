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
