import { inflateRawSync } from 'node:zlib'
import type { Value } from '../../scalar.ts'
import { CodesVector } from '../codes.ts'
import { NumbersVector } from '../numbers.ts'
import { TextPiece } from '../text-piece.ts'
import { TextsVector } from '../texts.ts'
import { numbersVectorOf, refit } from '../vector-of.ts'
import type { Vector } from '../vector.ts'
import { asDoubles, blockForm, BlockReader, deflatedBit, numberKinds, textEncodings } from './block-bytes.ts'
import { unpackBits } from './pack-bits.ts'

/** The vector whose values `encodeBlock` made bytes of. Keeps nothing of the bytes. */
export function decodeBlock(bytes: Uint8Array): Vector {
  const form = bytes[0]! & ~deflatedBit
  const body = bytes.subarray(1)
  const reader = new BlockReader(bytes[0]! & deflatedBit ? inflateRawSync(body) : body)
  if (form === blockForm.numbers) return readNumbers(reader)
  if (form === blockForm.codes) return readCodes(reader)
  if (form === blockForm.texts) return readTexts(reader)
  throw new TypeError(`a block has the unknown form ${form}`)
}

function readNumbers(reader: BlockReader): Vector {
  const kind = numberKinds[reader.byte()]!
  const places = reader.byte()
  const count = reader.count()
  if (places === asDoubles) {
    const numbers = new Float64Array(count)
    new Uint8Array(numbers.buffer).set(reader.bytes())
    return numbersVectorOf(kind, numbers)
  }
  const least = reader.double()
  const codes = unpackBits(reader.bytes(), count)
  if (places === 0 && !(codes instanceof Float64Array)) return new NumbersVector(refit, kind, codes, least)
  const scale = 10 ** places
  const numbers = new Float64Array(count)
  for (let i = 0; i < count; i += 1) numbers[i] = codes[i] === 0 ? Number.NaN : (codes[i]! - 1 + least) / scale
  return numbersVectorOf(kind, numbers)
}

function readCodes(reader: BlockReader): Vector {
  const count = reader.count()
  const dict = JSON.parse(reader.bytes().toString()) as Value[]
  const codes = unpackBits(reader.bytes(), count)
  if (codes instanceof Uint8Array || codes instanceof Uint16Array) return new CodesVector(refit, codes, dict)
  throw new TypeError('a block has more codes than a vector holds')
}

function readTexts(reader: BlockReader): Vector {
  const pieces: TextPiece[] = []
  for (let left = reader.count(); left > 0; left -= 1) pieces.push(readPiece(reader))
  return new TextsVector(refit, pieces)
}

function readPiece(reader: BlockReader): TextPiece {
  const count = reader.count()
  const lengths = unpackBits(reader.bytes(), count)
  const ends = new Uint32Array(count)
  const known = new Uint8Array(count)
  for (let i = 0, end = 0; i < count; i += 1) {
    known[i] = lengths[i] === 0 ? 0 : 1
    end += Math.max(0, lengths[i]! - 1)
    ends[i] = end
  }
  const encoding = textEncodings[reader.byte()]!
  return new TextPiece({ text: reader.bytes().toString(encoding), ends }, known)
}
