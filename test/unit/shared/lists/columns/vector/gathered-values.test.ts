import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CodesVector } from '../../../../../../shared/lists/columns/vector/codes.ts'
import { NumbersVector } from '../../../../../../shared/lists/columns/vector/numbers.ts'
import { prefixAfter } from '../../../../../../shared/lists/columns/vector/prefix.ts'
import { vectorOf } from '../../../../../../shared/lists/columns/vector/vector-of.ts'
import { normal, valuesOfKind } from './vector-values.ts'

describe('numbers', () => {
  it('are gathered for rising positions, NaN for what is missing', () => {
    fc.assert(
      fc.property(valuesOfKind('numbers'), fc.uint16Array({ max: 80 }), (values, some) => {
        const positions = some.sort()
        const vector = vectorOf(values)
        if (!(vector instanceof NumbersVector)) return
        const out = new Float64Array(positions.length + 2).fill(7)
        vector.gather(positions, out, 1)
        expect([...out]).toEqual([7, ...Array.from(positions, (at) => normal(values[at]) ?? Number.NaN), 7])
      }),
    )
  })

  it('find their groups in a table, and list those that it has none for', () => {
    const vector = vectorOf([5, null, 0, 7, 5, 6])
    if (!(vector instanceof NumbersVector)) throw new Error('numbers are no numbers')
    const table = new Uint32Array(vector.groupTableLength as number)
    table.set([3, 4], 6)
    const [out, others] = [new Uint32Array(8).fill(9), new Uint16Array(8)]
    const count = vector.gatherGroups(Uint16Array.of(0, 1, 2, 3, 4, 5, 300), table, out, others)
    expect([...out]).toEqual([3, 0, 0, 0, 3, 4, 0, 9])
    expect([...others.subarray(0, count)]).toEqual([2, 3])
  })

  it.each([[[-1, 1]], [[0.5]], [[0, 2 ** 20]]])(
    'of which some are not small and whole (%j) need another way',
    (values) => {
      const vector = vectorOf(values)
      expect(vector instanceof NumbersVector && vector.groupTableLength).toBeUndefined()
    },
  )

  it.each([200, 20_000, 2_000_000, 0.5])('up to %d are narrowed by a table of numbers', (most) => {
    const values = [null, 0, 1, 2, 3, most, -1, 77]
    const vector = vectorOf(values)
    const mask = new Uint8Array(9).fill(1)
    const table = Uint8Array.of(1, 0, 1)
    if (vector instanceof NumbersVector) vector.narrowBy(mask, table)
    expect([...mask]).toEqual([0, 1, 0, 1, 0, 0, 0, 0, 0])
  })
})

describe('codes', () => {
  it('are gathered through a table, whose first number is for what is missing', () => {
    const vector = vectorOf(['b', null, 'a', 'b'])
    const out = new Float64Array(4)
    if (vector instanceof CodesVector) {
      const table = Float64Array.from(vector.dict, (value) => (value === null ? Infinity : value === 'a' ? 1 : 2))
      vector.gather(Uint16Array.of(0, 1, 2, 9), table, out, 0)
    }
    expect([...out]).toEqual([2, Infinity, 1, Infinity])
  })

  it('tell their prefixes, also those of values that came later', () => {
    const vector = vectorOf(['Re: b', null, 'a', 'Re: b']) as CodesVector
    const [out, positions] = [new Float64Array(4), Uint16Array.of(0, 1, 2, 9)]
    for (let round = 0; round < 2; round += 1) {
      for (const beginning of ['', 'Re: ', 'x', 'y', 'z']) {
        vector.gatherPrefixes(positions, out, 0, beginning)
        const [first, third] = round === 0 ? ['Re: b', 'a'] : ['Re: c', 'b']
        expect([...out], beginning).toEqual([
          prefixAfter(beginning, first),
          Number.NaN,
          prefixAfter(beginning, third),
          Number.NaN,
        ])
      }
      vector.set(0, 'Re: c')
      vector.set(2, 'b')
    }
  })

  it('find their groups in a table', () => {
    const vector = vectorOf(['b', null, 'a', 'b'])
    const out = new Uint32Array(5).fill(9)
    if (vector instanceof CodesVector) {
      const table = Uint32Array.from(vector.dict, (value) => (value === null ? 0 : value === 'a' ? 1 : 2))
      vector.gatherGroups(Uint16Array.of(0, 1, 2, 9), table, out)
    }
    expect([...out]).toEqual([2, 0, 1, 0, 9])
  })
})
