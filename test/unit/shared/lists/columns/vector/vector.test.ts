import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnTest } from '../../../../../../shared/lists/columns/predicate.ts'
import type { Value } from '../../../../../../shared/lists/columns/scalar.ts'
import { decodeBlock } from '../../../../../../shared/lists/columns/vector/blocks/decode-block.ts'
import { encodeBlock } from '../../../../../../shared/lists/columns/vector/blocks/encode-block.ts'
import { CodesVector } from '../../../../../../shared/lists/columns/vector/codes.ts'
import { NumbersVector } from '../../../../../../shared/lists/columns/vector/numbers.ts'
import { setValue } from '../../../../../../shared/lists/columns/vector/set-value.ts'
import { TextsVector } from '../../../../../../shared/lists/columns/vector/texts.ts'
import { vectorOf } from '../../../../../../shared/lists/columns/vector/vector-of.ts'
import type { Vector } from '../../../../../../shared/lists/columns/vector/vector.ts'
import { runs } from '../../../../../make/depth.ts'
import { all, kinds, narrowed, normal, predicateFor, valuesIn, valuesOfKind } from './vector-values.ts'

const names = Object.keys(kinds)
const change = fc.tuple(fc.nat({ max: 300 }), fc.option(fc.oneof(...Object.values(kinds)), { freq: 8 }))

/** A vector of every form that holds the values, and what they are read from. */
function formsOf(values: readonly Value[]): (Vector | undefined)[] {
  const best = vectorOf(values)
  let grown: Vector | undefined
  for (const [position, value] of values.entries()) grown = setValue(grown, position, value)
  return [best, grown, best && decodeBlock(encodeBlock(best)), ...otherForms(values)]
}

function otherForms(values: readonly Value[]): Vector[] {
  const refit = (others: readonly Value[]): Vector => vectorOf(others)!
  const forms: Vector[] = [new CodesVector(refit)]
  if (values.every((value) => value === null || typeof value === 'string')) forms.push(new TextsVector(refit))
  return forms.map((form) => values.reduce<Vector>((vector, value, position) => vector.set(position, value), form))
}

describe.each(names)('a vector of %s', (kind) => {
  it('reads what was set', () => {
    fc.assert(
      fc.property(valuesOfKind(kind), (values) => {
        for (const vector of formsOf(values)) expect(valuesIn(vector, values.length + 3)).toEqual(expected(values, 3))
      }),
    )
  })

  it('reads what was set over it, whatever its kind', () => {
    fc.assert(
      fc.property(valuesOfKind(kind), fc.array(change, { maxLength: 20 }), (values, changes) => {
        for (let vector of formsOf(values)) {
          const model = [...values]
          for (const [position, value] of changes) {
            vector = setValue(vector, position, value)
            model[position] = value
          }
          expect(valuesIn(vector, 301)).toEqual(valuesOfModel(model, 301))
        }
      }),
      { numRuns: runs(40) },
    )
  })

  it('keeps in a mask what passes a test, of what was there and what was set later', () => {
    const masks = fc.uint8Array({ min: 0, max: 1, minLength: 60, maxLength: 70 })
    const later = fc.array(fc.tuple(fc.nat({ max: 64 }), fc.option(kinds[kind]!)), { maxLength: 4 })
    fc.assert(
      fc.property(valuesOfKind(kind), later, predicateFor(kind), masks, (values, changes, predicate, mask) => {
        const model = [...values]
        for (const [position, value] of changes) model[position] = value
        for (let vector of formsOf(values)) {
          for (const [position, value] of changes) vector = setValue(vector, position, value)
          const own = mask.slice()
          if (!vector) continue
          vector.narrow(own, columnTest(predicate))
          expect([...own]).toEqual(narrowed(model, mask, predicate))
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('is the same after encoding and decoding it', () => {
    fc.assert(
      fc.property(valuesOfKind(kind, 400), (values) => {
        for (const vector of formsOf(values)) {
          if (!vector) continue
          const decoded = decodeBlock(encodeBlock(vector))
          expect(valuesIn(decoded, 400)).toEqual(valuesOfModel(values, 400))
          expect(encodeBlock(decoded)).toEqual(encodeBlock(vector))
        }
      }),
      { numRuns: 30 },
    )
  })
})

const expected = (values: readonly Value[], more: number): Value[] => valuesOfModel(values, values.length + more)
const valuesOfModel = (values: readonly Value[], length: number): Value[] =>
  all(length, (position) => normal(values[position]))

describe('the form of a vector', () => {
  const formOf = (values: readonly Value[]): unknown => {
    const vector = vectorOf(values)
    return vector instanceof NumbersVector ? vector.kind : vector?.form
  }

  it.each<[string, readonly Value[], unknown]>([
    ['nothing', [null, null], undefined],
    ['numbers', [1, null, 2.5], 'number'],
    ['times', ['2024-02-29T12:00:00.000Z'], 'time'],
    ['dates', ['2024-02-29', null], 'date'],
    ['dates of which one does not exist', ['2024-02-29', '2023-02-29'], 'codes'],
    ['a date and a time', ['2024-02-29', '2024-02-29T12:00:00.000Z'], 'codes'],
    ['booleans', [true, false], 'codes'],
    ['lists', [['a', 'b']], 'codes'],
    ['numbers and texts', [1, '1'], 'codes'],
    ['few texts', all(1000, (i) => `state ${i % 20}`), 'codes'],
    ['many texts', all(1000, (i) => `title ${i}`), 'texts'],
    ['many values of several kinds', all(9000, (i) => (i === 5 ? 1 : `title ${i}`)), 'codes'],
  ])('follows from its values: %s', (_name, values, form) => {
    expect(formOf(values)).toBe(form)
  })

  it('becomes texts when more than 4,096 distinct ones are set', () => {
    let vector: Vector | undefined
    for (let i = 0; i < 4096; i += 1) vector = setValue(vector, i, `title ${i}`)
    expect(vector!.form).toBe('codes')
    vector = setValue(vector, 4096, 'one more')
    expect(vector!.form).toBe('texts')
    expect(valuesIn(vector, 4098)).toEqual([...all(4096, (i) => `title ${i}`), 'one more', null])
  })

  it('does not keep texts that were replaced', () => {
    let vector: Vector | undefined
    const model: Value[] = []
    for (let i = 0; i < 50_000; i += 1) {
      model[i % 30] = `state ${i}`
      vector = setValue(vector, i % 30, `state ${i}`)
    }
    expect(vector!.bytes).toBeLessThan(1_500_000)
    expect(valuesIn(vector, 30)).toEqual(model)
  })

  it('takes a byte, two, four or eight for a number, as its range needs', () => {
    const bytesOf = (...range: number[]): number => vectorOf(all(16_384, (i) => range[i % range.length]!))!.bytes
    const near = (bytes: number): number => Math.round(bytes / 16_384)
    expect(near(bytesOf(1e12, 1e12 + 254))).toBe(1)
    expect(near(bytesOf(1e12, 1e12 + 255))).toBe(2)
    expect(near(bytesOf(-30_000, 30_000))).toBe(2)
    expect(near(bytesOf(0, 4_294_967_294))).toBe(4)
    expect(near(bytesOf(0, 4_294_967_295))).toBe(8)
    expect(near(bytesOf(0, 0.5))).toBe(8)
  })
})

describe('a whole chunk', () => {
  const columns: [string, readonly Value[]][] = [
    ['states', all(16_384, (i) => (i % 7 === 0 ? null : `state ${i % 5}`))],
    ['references', all(16_384, (i) => 1000 + ((i * 7919) % 9973))],
    ['rising times', all(16_384, (i) => new Date(1.7e12 + i * 61_234).toISOString())],
    ['decimals', all(16_384, (i) => (i * 37) / 100)],
    ['titles', all(16_384, (i) => (i % 50 === 0 ? `😀 Tür ${i}` : `Printer ${i} in room ${(i * 31) % 997}`))],
    ['distinct lists', all(16_384, (i) => [`a${i}`, 'b'])],
    ['distinct values of several kinds', all(16_384, (i) => (i % 2 === 0 ? i : `n${i}`))],
  ]

  it.each(columns)('of %s is the same after encoding and decoding it', (_name, values) => {
    const decoded = decodeBlock(encodeBlock(vectorOf(values)!))
    expect(valuesIn(decoded, 16_384)).toEqual(values)
  })

  it.each(columns)('of %s is narrowed as value by value', (_name, values) => {
    const vector = vectorOf(values)!
    const mask = Uint8Array.from(values, (_, i) => (i % 3 === 0 ? 1 : 0))
    const sparse = Uint8Array.from(values, (_, i) => (i % 101 === 0 ? 1 : 0))
    const operand = values.find((value) => value !== null && typeof value !== 'object')!
    for (const predicate of [
      { op: 'contains', text: '7', folded: true },
      { op: 'contains', text: 'TÜR', folded: true },
      { op: 'at_least', value: operand as string },
      { op: 'among', values: values.slice(100, 400).filter((value) => typeof value !== 'object') },
    ] as const) {
      for (const given of [mask, sparse]) {
        const own = given.slice()
        vector.narrow(own, columnTest(predicate))
        expect(Buffer.compare(own, Uint8Array.from(narrowed(values, given, predicate)))).toBe(0)
      }
    }
  })
})
