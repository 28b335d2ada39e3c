import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { missingValue, orderedText, separator } from '../../../../../shared/platform/store/slots.ts'

const byteOrder = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
/** Text with many of the characters that keys use as separators. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u0000', '\u0001', '\u0002', '\u0003', '\u{10FFFE}', '\u{10FFFF}', 'a', '~'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 40,
})

describe('ordered values', () => {
  it('order numbers as numbers', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.double({ noNaN: true }), (a, b) => {
        expect(Math.sign(byteOrder(orderedText(a), orderedText(b)))).toBe(Math.sign(a === b ? 0 : a - b) || 0)
      }),
    )
  })

  it('treat -0 as 0', () => expect(orderedText(-0)).toBe(orderedText(0)))

  it('order text by its bytes, and a value before every longer one that starts with it', () => {
    fc.assert(
      fc.property(text, text, text, text, (a, b, afterA, afterB) => {
        fc.pre(a !== b)
        const before = (value: string, rest: string): string => `${orderedText(value)}${separator}${rest}`
        expect(Math.sign(byteOrder(before(a, afterA), before(b, afterB)))).toBe(Math.sign(byteOrder(a, b)))
      }),
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
})
