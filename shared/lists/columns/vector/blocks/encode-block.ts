import { deflateRawSync } from 'node:zlib'
import type { Value } from '../../scalar.ts'
import { CodesVector } from '../codes.ts'
import type { NumberArray, WholeArray } from '../number-kernels.ts'
import { NumbersVector } from '../numbers.ts'
import type { TextPiece } from '../text-piece.ts'
import { TextsVector } from '../texts.ts'
import { inBestForm } from '../vector-of.ts'
import type { Vector } from '../vector.ts'
import { asDoubles, blockForm, BlockWriter, deflatedBit, numberKinds, textEncodings } from './block-bytes.ts'
import { packBits } from './pack-bits.ts'

/** Smaller blocks are not deflated. */
const minDeflated = 128
const maxPlaces = 4

/** The bytes of a vector, in the best form for its values. `decodeBlock` reads them. */
export function encodeBlock(vector: Vector): Uint8Array {
  const best = inBestForm(vector)
  const form = blockForm[best.form]
  const body = bodyOf(best)
  if (body.length >= minDeflated) {
    const deflated = deflateRawSync(body, { level: 1 })
    if (deflated.length < body.length * 0.85) return Buffer.concat([Uint8Array.of(form | deflatedBit), deflated])
  }
  return Buffer.concat([Uint8Array.of(form), body])
}

function bodyOf(vector: Vector): Buffer {
  if (vector instanceof NumbersVector) return numbersBody(vector)
  if (vector instanceof CodesVector) return codesBody(vector)
  if (vector instanceof TextsVector) return textsBody(vector)
  throw new TypeError(`a vector of the form ${vector.form} has no block`)
}

function numbersBody(vector: NumbersVector): Buffer {
  const { data, base } = vector.stored
  const writer = new BlockWriter()
  writer.byte(numberKinds.indexOf(vector.kind))
  if (data instanceof Float64Array) writeDoubles(writer, data.subarray(0, usedLength(data, Number.isNaN)))
  else writeWhole(writer, data.subarray(0, usedLength(data, isZero)), base)
  return writer.done()
}

const isZero = (code: number): boolean => code === 0

/** The length up to the last that there is. */
function usedLength(data: NumberArray, isMissing: (stored: number) => boolean): number {
  let { length } = data
  while (length > 0 && isMissing(data[length - 1]!)) length -= 1
  return length
}

/** Codes as the vector has them, but from the least number on. */
function writeWhole(writer: BlockWriter, data: WholeArray, base: number): void {
  let [least, most] = [Infinity, 0]
  for (let i = 0; i < data.length; i += 1) {
    const code = data[i]!
    if (code > most) most = code
    if (code !== 0 && code < least) least = code
  }
  const unused = most === 0 ? 0 : least - 1
  const codes = unused === 0 ? data : data.map((code) => (code === 0 ? 0 : code - unused))
  writeCodes(writer, 0, base + unused, codes, most - unused)
}

function writeDoubles(writer: BlockWriter, numbers: Float64Array): void {
  const scaled = scaledBy(numbers)
  if (!scaled) {
    writer.byte(asDoubles)
    writer.count(numbers.length)
    return writer.bytes(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
  }
  const { places, least, most } = scaled
  const scale = 10 ** places
  const codes = new Float64Array(numbers.length)
  for (let i = 0; i < numbers.length; i += 1) {
    if (!Number.isNaN(numbers[i]!)) codes[i] = Math.round(numbers[i]! * scale) - least + 1
  }
  writeCodes(writer, places, least, codes, most - least + 1)
}

function writeCodes(writer: BlockWriter, places: number, least: number, codes: NumberArray, most: number): void {
  writer.byte(places)
  writer.count(codes.length)
  writer.double(least)
  writer.bytes(packBits(codes, most))
}

/** The decimal places with which all numbers are whole, and come back as they are; undefined when four do not do. */
function scaledBy(numbers: Float64Array): { places: number; least: number; most: number } | undefined {
  let [places, scale] = [0, 1]
  let [least, most] = [Infinity, -Infinity]
  for (let i = 0; i < numbers.length; i += 1) {
    const number = numbers[i]!
    if (Number.isNaN(number)) continue
    while (Math.round(number * scale) / scale !== number) {
      if (places === maxPlaces) return undefined
      places += 1
      scale *= 10
    }
    if (number < least) least = number
    if (number > most) most = number
  }
  if (least > most) return { places: 0, least: 0, most: 0 }
  // The scaled ends and their distance must be exact.
  if (Math.max(Math.abs(least), Math.abs(most), most - least) * scale > 2 ** 52) return undefined
  return { places, least: Math.round(least * scale), most: Math.round(most * scale) }
}

function codesBody({ codes, dict }: CodesVector): Buffer {
  const length = usedLength(codes, isZero)
  const writer = new BlockWriter()
  writer.count(length)
  writer.bytes(Buffer.from(JSON.stringify(dict satisfies readonly Value[])))
  writer.bytes(packBits(codes.subarray(0, length), dict.length - 1))
  return writer.done()
}

function textsBody(vector: TextsVector): Buffer {
  const writer = new BlockWriter()
  writer.count(vector.pieces.length)
  for (const piece of vector.pieces) writePiece(writer, piece)
  return writer.done()
}

/** The length of each text plus 1, 0 for none, then the one string. */
function writePiece(writer: BlockWriter, piece: TextPiece): void {
  const { text, ends, known } = piece.settled
  const lengths = new Uint32Array(ends.length)
  let longest = 0
  for (let i = 0, start = 0; i < ends.length; i += 1) {
    lengths[i] = known[i] === 1 ? ends[i]! - start + 1 : 0
    longest = Math.max(longest, lengths[i]!)
    start = ends[i]!
  }
  const encoding = encodingOf(text)
  writer.count(lengths.length)
  writer.bytes(packBits(lengths, longest))
  writer.byte(textEncodings.indexOf(encoding))
  writer.bytes(Buffer.from(text, encoding))
}

/** Latin-1 takes least; only UTF-16 keeps half a character as it is. */
function encodingOf(text: string): (typeof textEncodings)[number] {
  if (!/[\u0100-\uffff]/.test(text)) return 'latin1'
  return text.isWellFormed() ? 'utf8' : 'utf16le'
}
