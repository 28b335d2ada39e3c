import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitText } from '../../../../../../shared/messages/senders/messenger/split-text.ts'

describe('a text', () => {
  it.each([
    ['short', ['short']],
    ['', []],
    ['  \n ', []],
    ['1234567890', ['1234567890']],
    ['123456\n\n789 abc', ['123456', '789 abc']],
    ['12345\n678 9ab', ['12345', '678 9ab']],
    ['123456 789012', ['123456', '789012']],
    ['1234567890 12', ['1234567890', '12']],
    ['12345678901234567890123', ['1234567890', '1234567890', '123']],
    // A break near the start would make many small parts.
    ['1\n\n23456789012', ['1\n\n2345678', '9012']],
    ['123456789😀1', ['123456789', '😀1']],
  ])('%j is split to %j', (text, parts) => {
    expect(splitText(text, 10)).toEqual(parts)
  })

  it('keeps every word in order, and every part within the length', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 30, unit: 'binary' })),
        fc.integer({ min: 8, max: 40 }),
        (words, max) => {
          const text = words.join(' ').toWellFormed()
          const parts = splitText(text, max)
          expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
          for (const part of parts) {
            expect(part.length).toBeLessThanOrEqual(max)
            expect(part).toBe(part.trim())
            expect(part).not.toBe('')
            expect(part.isWellFormed()).toBe(true)
          }
        },
      ),
    )
  })
})
