import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  missingValue,
  numberOf,
  orderedText,
  recordSlotEntry,
  slotPrefix,
  valueOfSlotKey,
} from '../../../../shared/store/slots.ts'

const byteOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
/** Text with many of the characters that keys use as separators. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u0000', '\u0001', '\u0002', '\u0003', '\u{10FFFE}', '\u{10FFFF}', 'a', '~'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 40,
})

describe('slot values', () => {
  it('order numbers as numbers', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
        expect(Math.sign(byteOrder(orderedText(a), orderedText(b)))).toBe(Math.sign(a === b ? 0 : a - b) || 0)
      }),
    )
  })

  it('are read back as the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        expect(numberOf(orderedText(value))).toBe(value === 0 ? 0 : value)
      }),
    )
  })

  it('treat -0 as 0', () => expect(orderedText(-0)).toBe(orderedText(0)))

  it('order text by its bytes, and a value before every longer one that starts with it', () => {
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: 1e9 }),
        (a, b, idOfA, idOfB) => {
          fc.pre(a !== b)
          const entry = (value: string, id: number): string =>
            recordSlotEntry(3, { id: 1 }, 'requests', 'title', value, id).s03 as string
          expect(Math.sign(byteOrder(entry(a, idOfA), entry(b, idOfB)))).toBe(Math.sign(byteOrder(a, b)))
          expect(entry(a, idOfA).startsWith(slotPrefix(b))).toBe(false)
          expect(valueOfSlotKey(entry(a, idOfA))).toBe(orderedText(a))
        },
      ),
    )
  })

  it('order a record without a value last', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(byteOrder(orderedText(value), missingValue)).toBeLessThan(0)
      }),
    )
    expect(orderedText(null)).toBe(orderedText(undefined))
  })

  it('are cut to 512 bytes without breaking a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 200, maxLength: 900 }), (value) => {
        const cut = orderedText(value)
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(512)
        expect(value.startsWith(cut)).toBe(true)
        expect(cut.isWellFormed()).toBe(true)
      }),
    )
  })

  it('are found by the prefix of exactly that value', () => {
    const entry = recordSlotEntry(3, { id: 7 }, 'requests', 'client_id', 12, 42)
    expect(entry).toEqual({ p03: 'T#7#requests#client_id', s03: `${slotPrefix(12)}000000000042` })
    expect(entry.s03?.startsWith(slotPrefix(1))).toBe(false)
  })
})
