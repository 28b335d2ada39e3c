import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scoreChunk } from '../../../../../shared/lists/search/score-chunk.ts'
import { TermScores } from '../../../../../shared/lists/search/term-scores.ts'
import { createChunk, wordsWith } from '../../../../make/builders/lists/word-leaves.ts'
import { runs } from '../../../../make/depth.ts'

const size = 200
type Hits = readonly (readonly [record: number, weight: number])[]
const hitsOf = fc.array(fc.tuple(fc.nat(size - 1), fc.integer({ min: 1, max: 9 })), { maxLength: 300 })

/** Each record's best weight of every term, summed up; none without a word of each. */
function expected(terms: readonly Hits[]): [number, number][] {
  const best = terms.map((hits) => {
    const weights = new Map<number, number>()
    for (const [record, weight] of hits) weights.set(record, Math.max(weight, weights.get(record) ?? 0))
    return weights
  })
  return Array.from({ length: size }, (_, record) => best.map((weights) => weights.get(record) ?? 0))
    .map((weights, record): [number, number, boolean] => [
      record,
      weights.reduce((a, b) => a + b, 0),
      weights.every(Boolean),
    ])
    .flatMap(([record, score, isFound]) => (isFound ? [[record, score] as [number, number]] : []))
}

function found(scores: TermScores, terms: readonly Hits[]): [number, number][] {
  scores.begin(size)
  for (const hits of terms) {
    const [records, weights] = [hits.map(([record]) => record), hits.map(([, weight]) => weight)]
    scores.add(Uint32Array.from(records), Uint32Array.from(weights), hits.length)
    scores.endTerm()
  }
  return Array.from(scores.found(), (record) => [record, scores.scoreOf(record)])
}

it('one search after the other scores as if it were the only one', () => {
  const scores = new TermScores()
  fc.assert(
    fc.property(fc.array(hitsOf, { minLength: 1, maxLength: 4 }), (terms) => {
      expect(found(scores, terms)).toEqual(expected(terms))
    }),
    { numRuns: runs(300) },
  )
})

it('a search that failed leaves nothing to the next one', async () => {
  const chunk = createChunk()
  await chunk.set(new Map([[3, wordsWith(['lamp'])]]))
  await chunk.set(new Map([[5, wordsWith(['lamp', 'door'])]]))
  const leaves = chunk.leaves().map(({ bytes }) => bytes)
  const terms = ['lamp', 'door'].map((word) => ({ word, isPrefix: false }))
  expect(() => scoreChunk(terms, [leaves, [Uint8Array.of(9)]], 16_384)).toThrow('layout 9')
  expect([...scoreChunk(terms, [leaves, leaves], 16_384).positions]).toEqual([5])
})
