import { deflateRawSync } from 'node:zlib'
import type { Value } from '../scalar.ts'
import { asDoubles, blockForm, BlockWriter, deflatedBit, numberKinds, textEncodings } from './block-bytes.ts'
import { CodesVector } from './codes.ts'
import { NumbersVector } from './numbers.ts'
import { packBits } from './pack-bits.ts'
import type { TextPiece } from './text-piece.ts'
import { TextsVector } from './texts.ts'
import { refit } from './vector-of.ts'
import { valuesOf, type Vector } from './vector.ts'

/** Smaller blocks are not deflated. */
const minDeflated = 128
const maxPlaces = 4

/** The bytes of a vector, in the best form for its values. `decodeBlock` reads them. */
export function encodeBlock(vector: Vector): Uint8Array {
  const best = vector instanceof NumbersVector ? vector : refit(valuesOf(vector))
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
  const numbers = numbersOf(vector)
  const places = placesOf(numbers)
  const writer = new BlockWriter()
  writer.byte(numberKinds.indexOf(vector.kind))
  writer.byte(places ?? asDoubles)
  writer.count(numbers.length)
  if (places === undefined) writer.bytes(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
  else writeWhole(writer, numbers, 10 ** places)
  return writer.done()
}

/** All numbers, NaN for none, up to the last that there is. */
function numbersOf(vector: NumbersVector): Float64Array {
  let { length } = vector
  while (length > 0 && Number.isNaN(vector.numberAt(length - 1))) length -= 1
  const numbers = new Float64Array(length)
  for (let i = 0; i < length; i += 1) numbers[i] = vector.numberAt(i)
  return numbers
}

/** The decimal places with which all numbers are whole, and come back as they are; undefined when four do not do. */
function placesOf(numbers: Float64Array): number | undefined {
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
  // The scaled ends and their distance must be exact.
  return Math.max(Math.abs(least), Math.abs(most), most - least) * scale > 2 ** 52 && most >= least ? undefined : places
}

function writeWhole(writer: BlockWriter, numbers: Float64Array, scale: number): void {
  let [least, most] = [Infinity, -Infinity]
  for (let i = 0; i < numbers.length; i += 1) {
    const number = Math.round(numbers[i]! * scale)
    if (number < least) least = number
    if (number > most) most = number
  }
  if (least > most) least = most = 0
  const codes = new Float64Array(numbers.length)
  for (let i = 0; i < numbers.length; i += 1) {
    if (!Number.isNaN(numbers[i]!)) codes[i] = Math.round(numbers[i]! * scale) - least + 1
  }
  writer.double(least)
  writer.bytes(packBits(codes, most - least + 1))
}

/** The dictionary has only values that are there: the vector was just made. */
function codesBody({ codes, dict }: CodesVector): Buffer {
  let { length } = codes
  while (length > 0 && codes[length - 1] === 0) length -= 1
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
