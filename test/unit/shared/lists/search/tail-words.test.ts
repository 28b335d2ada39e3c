import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTailWords } from '../../../../../shared/lists/search/tail-words.ts'
import { scoreWords, termsOf } from '../../../../../shared/lists/search/terms.ts'
import { type Words, wordsWith } from '../../../../make/builders/lists/word-leaves.ts'
import { runs } from '../../../../make/depth.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', '東', '😀'), minLength: 1, maxLength: 4 })
const words = fc
  .array(fc.tuple(word, fc.integer({ min: 1, max: 300 })), { maxLength: 6 })
  .map((all): Words => new Map(all))
const change = fc.record({ id: fc.integer({ min: 1, max: 9 }), words })
const search = fc.array(word, { minLength: 1, maxLength: 3 })
const forgotten = fc.record({ forget: fc.integer({ min: 1, max: 9 }) })
const call = fc.oneof(
  { weight: 4, arbitrary: change },
  { weight: 1, arbitrary: forgotten },
  { weight: 1, arbitrary: search },
)

describe('the words of records that are not folded', () => {
  it('find what a search of every record finds, after any changes', () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), (calls) => {
        const tail = createTailWords()
        const model = new Map<number, Words>()
        const found: unknown[] = []
        const expected: unknown[] = []
        for (const one of calls) {
          if (Array.isArray(one)) {
            const scores = [...model].map(([id, own]) => [id, scoreWords(own, termsOf(one.join(' ')))] as const)
            expected.push(new Map(scores.filter(([, score]) => score > 0)))
            found.push(tail.find(termsOf(one.join(' '))))
          } else if ('forget' in one) {
            tail.forget(one.forget)
            model.delete(one.forget)
            found.push([...tail.ids()].toSorted())
            expected.push([...model.keys()].toSorted())
          } else {
            tail.set(one.id, one.words)
            model.set(one.id, one.words)
          }
        }
        expect(found).toEqual(expected)
      }),
      { numRuns: runs(300) },
    )
  })

  it('are found among thousands, and after each of them changed several times', () => {
    const tail = createTailWords()
    tail.set(1, wordsWith(['n0']))
    expect(tail.find(termsOf('n'))).toEqual(new Map([[1, 10]]))
    for (let round = 0; round < 4; round += 1) {
      for (let id = 1; id <= 3_000; id += 1) tail.set(id, wordsWith([`n${id}r${round}`, 'all']))
      expect(tail.find(termsOf(`all n2999r${round}`))).toEqual(new Map([[2999, 20]]))
      expect(tail.find(termsOf('n299')).size).toBe(11)
      expect(tail.find(termsOf('all')).size).toBe(3_000)
    }
    tail.set(2999, new Map())
    expect(tail.find(termsOf('n2999')).size).toBe(0)
    // Two words a record: replaced rows are let go of, so that the memory is that of a few thousand records.
    expect(tail.bytes).toBeGreaterThan(3_000 * 2 * 12)
    expect(tail.bytes).toBeLessThan(3_000 * 1_000)
    const before = tail.bytes
    for (const id of tail.ids()) if (id > 100) tail.forget(id)
    expect(tail.find(termsOf('all')).size).toBe(100)
    expect(tail.bytes).toBeLessThan(before / 2)
  })

  it('are none without terms or records', () => {
    const tail = createTailWords()
    expect(tail.find(termsOf('a')).size).toBe(0)
    tail.set(1, wordsWith(['a']))
    expect(tail.find([]).size).toBe(0)
  })
})
