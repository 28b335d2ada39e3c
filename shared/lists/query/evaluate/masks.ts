import { chunkIds } from '../../columns/chunk.ts'
import { runLoop } from '../../columns/vector/number-kernels.ts'
import { keptArrays } from './kept-arrays.ts'

/*
 * A mask has a byte for each position of a chunk: 1 where the record is still in question, else 0. Its length is a
 * multiple of four, so that whole words are combined.
 */
export type Mask = Uint8Array

/** Masks are copied for every part of a filter and every chunk, so their memory is used again. */
const free: Uint8Array[] = []

/** A copy to change; `giveBack` it when it is done with, before the next wait. */
export function copyOf(mask: Mask): Mask {
  const copy = (free.pop() ?? new Uint8Array(chunkIds)).subarray(0, mask.length)
  copy.set(mask)
  return copy
}

export function giveBack(mask: Mask): void {
  free.push(new Uint8Array(mask.buffer))
}

const wordsOf = (mask: Mask): Uint32Array => new Uint32Array(mask.buffer, mask.byteOffset, mask.length >> 2)

/** Adds what another mask has. */
export const or = (mask: Mask, other: Mask): void => runLoop(orWords, wordsOf(mask), wordsOf(other))
/** Removes what another mask has. */
export const andNot = (mask: Mask, other: Mask): void => runLoop(andNotWords, wordsOf(mask), wordsOf(other))

function orWords(a: Uint32Array, b: Uint32Array): void {
  for (let i = 0; i < a.length; i += 1) a[i]! |= b[i]!
}
function andNotWords(a: Uint32Array, b: Uint32Array): void {
  for (let i = 0; i < a.length; i += 1) a[i]! &= ~b[i]!
}

const counted = new Uint32Array(1)

/** How many positions a mask has. */
export function countOf(mask: Mask): number {
  counted[0] = 0
  runLoop(countWords, wordsOf(mask))
  return counted[0]
}

function countWords(words: Uint32Array): void {
  let count = 0
  for (let i = 0; i < words.length; i += 1) count += Math.imul(words[i]!, 0x01010101) >>> 24
  counted[0] = count
}

const buffers = keptArrays((length): Uint16Array => new Uint16Array(length), 16, chunkIds + 1)

/** A buffer for the positions of any mask; `givePositions` when they are done with. */
export const takePositions = (): Uint16Array => buffers.take(chunkIds + 1)
export const givePositions = (buffer: Uint16Array): void => buffers.give(buffer)

/** The positions of a mask, rising, of which there are `count`; they lie in `buffer`. */
export function positionsOf(mask: Mask, count: number, buffer: Uint16Array): Uint16Array {
  if (count > mask.length / 24) runLoop(fillFromBytes, mask, buffer)
  else runLoop(fillFromWords, mask, wordsOf(mask), buffer)
  return buffer.subarray(0, count)
}

/** Without a branch: where many pass, wrong guesses of the processor cost more than a store. */
function fillFromBytes(mask: Mask, positions: Uint16Array): void {
  let at = 0
  for (let i = 0; i < mask.length; i += 1) {
    positions[at] = i
    at += mask[i]!
  }
}

function fillFromWords(mask: Mask, words: Uint32Array, positions: Uint16Array): void {
  let at = 0
  for (let word = 0; word < words.length; word += 1) {
    if (words[word] === 0) continue
    for (let i = word * 4; i < word * 4 + 4; i += 1) {
      positions[at] = i
      at += mask[i]!
    }
  }
}
