import type { Value } from '../scalar.ts'
import { frameNumbers } from './blocks/frame-numbers.ts'
import { CodesVector, maxDistinctTexts } from './codes.ts'
import { numberOf } from './number-test.ts'
import { NumbersVector } from './numbers.ts'
import { pieceLength, TextPiece } from './text-piece.ts'
import { TextsVector } from './texts.ts'
import type { NumberKind } from './time-text.ts'
import { isMissing, valuesOf, type Refit, type Vector } from './vector.ts'

/** So few distinct texts are codes however few texts there are. */
const fewTexts = 16

/** The best vector for these values, by position; undefined when all are missing. */
export function vectorOf(values: readonly Value[]): Vector | undefined {
  const first = values.find((value) => !isMissing(value))
  if (first === undefined || first === null) return undefined
  const kind = kindOf(first)
  const numbers = kind && numbersOf(kind, values)
  if (kind && numbers) return numbersVectorOf(kind, numbers)
  return areManyTexts(values) ? textsOf(values as readonly (string | null)[]) : codesOf(values)
}

/** The vector itself when it has the form that is best for its values, else one that has. */
export function inBestForm(vector: Vector): Vector {
  if (vector instanceof NumbersVector) return vector
  if (vector instanceof CodesVector && areBestAsCodes(vector)) return vector
  if (vector instanceof TextsVector && areBestAsTexts(vector)) return vector
  return refit(valuesOf(vector))
}

/** Whether each value of the dictionary is there, and no other form is better for them. */
function areBestAsCodes({ codes, dict }: CodesVector): boolean {
  const used = new Uint8Array(dict.length)
  let count = 0
  for (let i = 0; i < codes.length; i += 1) {
    used[codes[i]!] = 1
    count += +(codes[i] !== 0)
  }
  if (dict.length < 2 || used.indexOf(0, 1) >= 0) return false
  const kind = kindOf(dict[1]!)
  if (kind && numbersOf(kind, dict)) return false
  return !areMany(dict.length - 1, count) || dict.some((value) => value !== null && typeof value !== 'string')
}

/** Whether there are many distinct texts, which are not all times or dates. */
function areBestAsTexts(vector: TextsVector): boolean {
  const distinct = new Set<string>()
  let count = 0
  for (let position = 0; position < vector.length && distinct.size <= maxDistinctTexts; position += 1) {
    const text = vector.get(position)
    if (typeof text !== 'string') continue
    if (count === 0 && kindOf(text)) return false
    count += 1
    distinct.add(text)
  }
  return areMany(distinct.size, count)
}

/** What a vector becomes when a value does not fit its form. */
export const refit: Refit = (values) => vectorOf(values) ?? new NumbersVector(refit, 'number')

/** A vector without values, of a form that the value fits. */
export function emptyFor(value: Exclude<Value, null>): Vector {
  const kind = kindOf(value)
  return kind ? new NumbersVector(refit, kind) : new CodesVector(refit)
}

/** Numbers of a kind by position, NaN for none. The array may become the vector's own. */
export function numbersVectorOf(kind: NumberKind, numbers: Float64Array): NumbersVector {
  const { data, base } = frameNumbers(numbers)
  return new NumbersVector(refit, kind, data, base)
}

/** The kind of numbers that a value may be stored as. */
function kindOf(value: Exclude<Value, null>): NumberKind | undefined {
  return (['number', 'time', 'date'] as const).find((kind) => !Number.isNaN(numberOf(kind, value)))
}

/** The numbers of values, all of one kind; undefined when one is not. */
function numbersOf(kind: NumberKind, values: readonly Value[]): Float64Array | undefined {
  const numbers = new Float64Array(values.length)
  for (const [position, value] of values.entries()) {
    const number = isMissing(value) ? Number.NaN : numberOf(kind, value)
    if (Number.isNaN(number) && !isMissing(value)) return undefined
    // -0 becomes 0.
    numbers[position] = number + 0
  }
  return numbers
}

/** Whether values are texts only, and too many of them are distinct for codes. */
function areManyTexts(values: readonly Value[]): boolean {
  const distinct = new Set<string>()
  let count = 0
  for (const value of values) {
    if (isMissing(value)) continue
    if (typeof value !== 'string') return false
    count += 1
    if (distinct.size <= maxDistinctTexts) distinct.add(value)
  }
  return areMany(distinct.size, count)
}

/** Whether so many of `count` texts are distinct that they are no codes. */
const areMany = (distinct: number, count: number): boolean =>
  distinct > maxDistinctTexts || (distinct > fewTexts && distinct * 2 > count)

function codesOf(values: readonly Value[]): Vector {
  let vector: Vector = new CodesVector(refit, new Uint8Array(values.length))
  for (const [position, value] of values.entries()) vector = vector.set(position, value)
  return vector
}

function textsOf(values: readonly (string | null)[]): Vector {
  const pieces: TextPiece[] = []
  for (let start = 0; start < values.length; start += pieceLength) {
    pieces.push(TextPiece.of(values.slice(start, start + pieceLength)))
  }
  return new TextsVector(refit, pieces)
}
