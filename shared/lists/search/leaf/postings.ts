import { ByteReader, ByteWriter } from './byte-writer.ts'

/**
 * The records of one word within a chunk: rising positions, each with a weight (a positive integer). Arrays may be
 * longer than `count`.
 */
export interface Postings {
  count: number
  positions: Uint16Array
  weights: Uint32Array
}

export const emptyPostings = (capacity = 64): Postings => ({
  count: 0,
  positions: new Uint16Array(capacity),
  weights: new Uint32Array(capacity),
})

export const clearPostings = (postings: Postings): void => {
  postings.count = 0
}

export function addPosting(postings: Postings, position: number, weight: number): void {
  if (postings.count === postings.positions.length) grow(postings, 2 * postings.count)
  postings.positions[postings.count] = position
  postings.weights[postings.count] = weight
  postings.count += 1
}

function grow(postings: Postings, capacity: number): void {
  const { positions, weights } = postings
  postings.positions = new Uint16Array(capacity)
  postings.positions.set(positions)
  postings.weights = new Uint32Array(capacity)
  postings.weights.set(weights)
}

const list = new ByteWriter()

/**
 * Appends postings. One alone is its position and weight; several are a head (`count`, and two bits that tell the form),
 * then the positions as distances or a bitmap, whatever is shorter, then one weight for all, or the different weights
 * and the place of each posting's weight among them, in 1, 2, 4, 8 or 16 bits. A length before them lets readers skip.
 */
export function writePostings(writer: ByteWriter, postings: Postings): void {
  const { count, positions, weights } = postings
  const isSingle = count === 1
  list.length = 0
  if (isSingle) {
    list.writeNumber(positions[0] as number)
    list.writeNumber(weights[0] as number)
  } else writeSeveral(postings)
  writer.writeNumber(list.length * 2 + Number(isSingle))
  writer.writeBytes(list.bytes, 0, list.length)
}

function writeSeveral({ count, positions, weights }: Postings): void {
  const different = new Map<number, number>()
  for (let at = 0; at < count; at += 1) {
    const weight = weights[at] as number
    if (at === 0 || weight !== weights[at - 1]) if (!different.has(weight)) different.set(weight, different.size)
  }
  const bitmapBytes = ((positions[count - 1] as number) >> 3) + 1
  const isBitmap = distancesBytes(positions, count) > bitmapBytes
  list.writeNumber(count * 4 + (different.size === 1 ? 2 : 0) + (isBitmap ? 1 : 0))
  if (isBitmap) writeBitmap(positions, count, bitmapBytes)
  else writeDistances(positions, count)
  if (different.size === 1) list.writeNumber(weights[0] as number)
  else writeCodes(weights, count, different)
}

function distancesBytes(positions: Uint16Array, count: number): number {
  let bytes = 0
  let last = 0
  for (let at = 0; at < count; at += 1) {
    const position = positions[at] as number
    const distance = position - last
    bytes += distance < 128 ? 1 : distance < 16_384 ? 2 : 3
    last = position
  }
  return bytes
}

function writeDistances(positions: Uint16Array, count: number): void {
  let last = 0
  for (let at = 0; at < count; at += 1) {
    const position = positions[at] as number
    list.writeNumber(position - last)
    last = position
  }
}

function writeBitmap(positions: Uint16Array, count: number, byteLength: number): void {
  list.writeNumber(byteLength)
  const start = list.leaveRoom(byteLength)
  const { bytes } = list
  for (let at = 0; at < count; at += 1) {
    const position = positions[at] as number
    bytes[start + (position >> 3)] = (bytes[start + (position >> 3)] as number) | (1 << (position & 7))
  }
}

/** How many bits the code of one weight has, as a power of two. */
const bitsPowerOf = (different: number): number =>
  different <= 2 ? 0 : different <= 4 ? 1 : different <= 16 ? 2 : different <= 256 ? 3 : 4

function writeCodes(weights: Uint32Array, count: number, different: Map<number, number>): void {
  list.writeNumber(different.size)
  for (const weight of different.keys()) list.writeNumber(weight)
  const power = bitsPowerOf(different.size)
  const start = list.leaveRoom(((count << power) + 7) >> 3)
  const { bytes } = list
  for (let at = 0; at < count; at += 1) {
    const code = different.get(weights[at] as number) as number
    const bit = at << power
    const byte = start + (bit >> 3)
    bytes[byte] = (bytes[byte] as number) | (code << (bit & 7))
    if (power === 4) bytes[byte + 1] = code >> 8
  }
}

/** Moves a reader behind the postings that start there. */
export function skipPostings(reader: ByteReader): void {
  const length = reader.readNumber() >>> 1
  reader.at += length
}

/** Reads the postings that start at the reader into `into`, in place of what it had. */
export function readPostings(reader: ByteReader, into: Postings): void {
  const isSingle = (reader.readNumber() & 1) === 1
  if (isSingle) {
    into.count = 1
    into.positions[0] = reader.readNumber()
    into.weights[0] = reader.readNumber()
    return
  }
  const head = reader.readNumber()
  const count = head >>> 2
  if (count > into.positions.length) grow(into, Math.max(count, 2 * into.positions.length))
  into.count = count
  if (head & 1) readBitmap(reader, into.positions)
  else readDistances(reader, into.positions, count)
  if (head & 2) into.weights.fill(reader.readNumber(), 0, count)
  else readCodes(reader, into.weights, count)
}

function readDistances(reader: ByteReader, positions: Uint16Array, count: number): void {
  let last = 0
  for (let at = 0; at < count; at += 1) {
    last += reader.readNumber()
    positions[at] = last
  }
}

function readBitmap(reader: ByteReader, positions: Uint16Array): void {
  const byteLength = reader.readNumber()
  const { bytes, at: start } = reader
  let at = 0
  for (let byte = 0; byte < byteLength; byte += 1) {
    for (let rest = bytes[start + byte] as number; rest !== 0; rest &= rest - 1) {
      positions[at] = byte * 8 + 31 - Math.clz32(rest & -rest)
      at += 1
    }
  }
  reader.at += byteLength
}

function readCodes(reader: ByteReader, weights: Uint32Array, count: number): void {
  const different = new Uint32Array(reader.readNumber())
  for (let code = 0; code < different.length; code += 1) different[code] = reader.readNumber()
  const power = bitsPowerOf(different.length)
  const { bytes, at: start } = reader
  if (power === 4) {
    for (let at = 0; at < count; at += 1) {
      const code = (bytes[start + 2 * at] as number) | ((bytes[start + 2 * at + 1] as number) << 8)
      weights[at] = different[code] as number
    }
  } else {
    const mask = (1 << (1 << power)) - 1
    for (let at = 0; at < count; at += 1) {
      const bit = at << power
      weights[at] = different[((bytes[start + (bit >> 3)] as number) >> (bit & 7)) & mask] as number
    }
  }
  reader.at += ((count << power) + 7) >> 3
}
