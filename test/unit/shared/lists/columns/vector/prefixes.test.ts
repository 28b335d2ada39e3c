import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prefixOf } from '../../../../../../shared/lists/columns/vector/prefix.ts'
import { TextsVector } from '../../../../../../shared/lists/columns/vector/texts.ts'
import { vectorOf } from '../../../../../../shared/lists/columns/vector/vector-of.ts'
import { runs } from '../../../../../make/depth.ts'
import { orderOf } from './vector-values.ts'

describe('prefixes', () => {
  const text = fc.oneof(fc.string({ maxLength: 9 }), fc.string({ unit: 'binary', maxLength: 4 }))
  const shared = fc.tuple(text, text, text).map(([start, a, b]) => [start + a, start + b] as const)

  it('are in the order of their texts', () => {
    fc.assert(
      fc.property(shared, ([a, b]) => {
        const order = Math.sign(prefixOf(a) - prefixOf(b))
        expect([0, orderOf(a, b)]).toContain(order)
      }),
      { numRuns: runs(5000, 200) },
    )
  })

  it('tell the first six characters of Latin-1 apart, and a text from a longer one', () => {
    expect(prefixOf('abcdef')).toBeLessThan(prefixOf('abcdeg'))
    expect(prefixOf('abcde')).toBeLessThan(prefixOf('abcde\0'))
    expect(prefixOf('')).toBeLessThan(prefixOf('\0'))
    expect(prefixOf('\uff01')).toBeLessThan(prefixOf('😀'))
    expect(Number.isSafeInteger(prefixOf('\u{10ffff}'.repeat(9)))).toBe(true)
  })

  it('are gathered for positions, as they are after changes', () => {
    const texts = Array.from({ length: 5000 }, (_, i) => (i % 9 === 0 ? null : `title ${i}`))
    const vector = vectorOf(texts)
    const out = new Float64Array(5)
    if (vector instanceof TextsVector) {
      vector.gather(Uint16Array.of(0), out, 0)
      vector.set(9, 'new')
      vector.set(1, null)
      vector.set(6000, 'far')
      vector.gather(Uint16Array.of(1, 9, 4500, 6000, 9000), out, 0)
    }
    expect([...out]).toEqual([Number.NaN, prefixOf('new'), Number.NaN, prefixOf('far'), Number.NaN])
  })

  it('tell what follows a beginning, for more beginnings than are kept', () => {
    const texts = Array.from({ length: 5000 }, (_, i) =>
      i % 9 === 0 ? null : `${i % 2 === 0 ? 'Re: ' : ''}title ${i}`,
    )
    const vector = vectorOf(texts) as TextsVector
    const out = new Float64Array(4)
    const positions = Uint16Array.of(2, 3, 4500, 4502)
    for (let round = 0; round < 2; round += 1) {
      for (const beginning of ['Re: ', 'Re: title ', 'title ', 'Re: title 2', 'nothing', 'Re: t', '']) {
        vector.gather(positions, out, 0, beginning)
        const keys = [...positions].map((position) => {
          const value = vector.get(position) as string | null
          if (value === null) return Number.NaN
          return value.startsWith(beginning) ? prefixOf(value.slice(beginning.length)) : -Infinity
        })
        expect([...out], beginning).toEqual(keys)
      }
      vector.set(3, 'Re: title 3')
      vector.set(4502, null)
      vector.set(4500, 'Re: t')
    }
  })
})
