import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { averageOf, compareDecimals, formatDecimal, parseDecimal } from '../../../../../shared/kernel/text/decimal.ts'
import { processorMs } from '../../../../make/processor-time.ts'

const unscaled = fc.bigInt({ min: -(10n ** 36n), max: 10n ** 36n })
const scale = fc.integer({ min: 0, max: 12 })

describe('a decimal', () => {
  it.each([
    ['12.50', '12.5'],
    ['-0.00', '0'],
    ['1e-3', '0.001'],
    ['1.5E+2', '150'],
    ['007', '7'],
  ])('reads %s as %s', (text, plain) => expect(formatDecimal(parseDecimal(text)!)).toBe(plain))

  it.each(['', '.', '-', '1.2.3', '0x1', 'NaN', 'Infinity', '1,5', ' 1', '1e9999'])('refuses %o', (text) =>
    expect(parseDecimal(text)).toBeUndefined(),
  )

  it.each([
    ['zeros behind a point', `1.${'0'.repeat(2_000_000)}`, '1'],
    ['zeros alone', `.${'0'.repeat(2_000_000)}`, '0'],
    ['digits', '7'.repeat(2_000_000), undefined],
    ['zeros between digits', `1.${'0'.repeat(2_000_000)}1`, undefined],
  ])('is read in a moment, however many %s it has', async (_, text, plain) => {
    let read: string | undefined
    const ms = await processorMs(() => {
      const decimal = parseDecimal(text)
      read = decimal && formatDecimal(decimal)
    })
    expect(read).toBe(plain)
    expect(ms).toBeLessThan(10_000)
  })

  it('is the same number after it was written and read', () =>
    fc.assert(
      fc.property(unscaled, scale, (digits, places) => {
        const text = formatDecimal({ unscaled: digits, scale: places })
        expect(formatDecimal(parseDecimal(text)!, places)).toBe(text)
      }),
    ))

  it('compares as integers of one scale do', () =>
    fc.assert(
      fc.property(unscaled, unscaled, scale, scale, (a, b, first, second) => {
        const [left, right] = [a * 10n ** BigInt(12 - first), b * 10n ** BigInt(12 - second)]
        const order = compareDecimals(
          formatDecimal({ unscaled: a, scale: first }),
          formatDecimal({ unscaled: b, scale: second }),
        )
        expect(Math.sign(order)).toBe(left === right ? 0 : left < right ? -1 : 1)
      }),
    ))
})

describe('an average', () => {
  it.each([
    [30n, 2, 2, '0.15'],
    [100n, 2, 3, '0.33333333'],
    [200n, 2, 3, '0.66666667'],
    [-200n, 2, 3, '-0.66666667'],
    [1n, 0, 2 ** 7, '0.007812'],
    [3n, 0, 2 ** 7, '0.023438'],
    [0n, 2, 5, '0.00'],
  ])('of the total %s (scale %i) over %i is %s', (total, places, count, average) =>
    expect(averageOf({ unscaled: total, scale: places }, count, places + 6, places)).toBe(average),
  )
})
