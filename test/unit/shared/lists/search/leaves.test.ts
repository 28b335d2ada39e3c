import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createChunk, change, chunkSize, type Words, wordsWith } from '../../../../make/builders/lists/word-leaves.ts'
import { runs } from '../../../../make/depth.ts'

const most = 24 * 1024 + 600
const bytesOf = (chunk: ReturnType<typeof createChunk>) => chunk.leaves().map(({ bytes }) => bytes.length)
const numbered = (count: number, words: (at: number) => Words) =>
  new Map(Array.from({ length: count }, (_, at) => [at, words(at)]))

/** Few letters, so that words and prefixes collide; of one, two, three and four bytes. */
const letter = fc.constantFrom('a', 'b', 'é', '東', '\uff01', '😀', '𝔸')
const word = fc.array(letter, { minLength: 1, maxLength: 5 }).map((letters) => letters.join(''))
const weight = fc.oneof(fc.constantFrom(10, 30, 80), fc.integer({ min: 1, max: 200_000 }))
const record = fc.array(fc.tuple(word, weight), { maxLength: 8 }).map((entries): Words => new Map(entries))
const position = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: chunkSize - 1 }))
const step = fc.array(fc.tuple(position, record), { maxLength: 60 }).map((entries) => new Map(entries))

describe('leaves of words', () => {
  it('find what a search of every record finds, after any changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 5 }),
        fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
        async (steps, searches) => {
          const chunk = createChunk()
          for (const after of steps) {
            const { changes } = await chunk.set(after)
            const { next, leaves } = await change(chunk.leaves(), changes)
            expect(next).toEqual(leaves.map((_, kept) => ({ kept })))
            for (const words of searches) expect(chunk.find(...words)).toEqual(chunk.expected(...words))
          }
          const changed = searches.map((words) => chunk.find(...words))
          await chunk.build()
          expect(searches.map((words) => chunk.find(...words))).toEqual(changed)
        },
      ),
      { numRuns: runs(150) },
    )
  })

  it('are found by prefixes of every length', async () => {
    const chunk = createChunk()
    await chunk.set(
      numbered(3_000, (at) => wordsWith([`w${at}`, `word${at % 77}`, 'x'.repeat((at % 64) + 1)], 1 + (at % 300))),
    )
    expect(chunk.leaves().length).toBeGreaterThan(2)
    for (const whole of ['w1234', 'word76', 'x'.repeat(64), '😀']) {
      for (let length = 1; length <= whole.length; length += 1) {
        const prefix = whole.slice(0, length)
        expect(chunk.find(prefix)).toEqual(chunk.expected(prefix))
        expect(chunk.find('word7', prefix)).toEqual(chunk.expected('word7', prefix))
      }
    }
  })

  it('are split when they grow and vanish when they are empty', async () => {
    const chunk = createChunk()
    for (let from = 0; from < 8_000; from += 1_000) {
      await chunk.set(
        new Map(
          [...numbered(1_000, (at) => wordsWith([`n${(from + at) * 7919}`, 'all']))].map(([at, words]) => [
            from + at,
            words,
          ]),
        ),
      )
      expect(Math.max(...bytesOf(chunk))).toBeLessThan(most)
    }
    expect(chunk.leaves().length).toBeGreaterThan(5)
    const firsts = chunk.leaves().map(({ first }) => first)
    expect(firsts).toEqual(firsts.toSorted())
    await chunk.set(numbered(7_998, () => new Map()))
    expect(chunk.leaves()).toHaveLength(1)
    expect(chunk.find('all')).toEqual([
      [7998, 10],
      [7999, 10],
    ])
    await chunk.set(numbered(8_000, () => new Map()))
    expect(chunk.leaves()).toEqual([])
    expect(chunk.find('all')).toEqual([])
  })

  it('find the same after many changes that split, join and empty them', async () => {
    const range = fc.tuple(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 1, max: 4_000 }))
    const many = fc.record({ range, salt: fc.integer({ min: 0, max: 5 }), removes: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(many, { minLength: 2, maxLength: 6 }), async (steps) => {
        const chunk = createChunk()
        for (const {
          range: [from, count],
          salt,
          removes,
        } of steps) {
          const words = (at: number) =>
            wordsWith([`k${(at * 31) % 5_000}`, `s${salt}`, `u${at * (salt + 7)}`], 1 + (at % 90))
          const after = numbered(count, (at) => (removes ? new Map() : words(from + at)))
          await chunk.set(new Map([...after].map(([at, own]) => [from + at, own])))
          const firsts = chunk.leaves().map(({ first }) => first)
          expect(firsts).toEqual([...new Set(firsts)].toSorted())
          expect(Math.max(0, ...bytesOf(chunk))).toBeLessThan(most)
        }
        for (const words of [['k1'], ['k31', 'u'], ['s1'], ['u12'], ['s2', 'k'], ['k62']])
          expect(chunk.find(...words)).toEqual(chunk.expected(...words))
      }),
      { numRuns: 15 },
    )
  })

  it('keep their bytes when their words do not change', async () => {
    const chunk = createChunk()
    await chunk.set(numbered(8_000, (at) => wordsWith([`n${at * 7919}`, 'all'])))
    const count = chunk.leaves().length
    const { next } = await chunk.set(new Map([[7, new Map([...wordsWith([`n${7 * 7919}`, 'all']), ['zebra', 80]])]]))
    expect(next.filter((leaf) => 'kept' in leaf)).toEqual(Array.from({ length: count - 1 }, (_, kept) => ({ kept })))
    expect(next.at(-1)).toHaveProperty('bytes')
  })

  it.each([1, 2, 3, 5, 16, 17, 256, 257, 3_000])('keep %i different weights of one word', async (different) => {
    const chunk = createChunk()
    await chunk.set(
      numbered(
        chunkSize,
        (at) =>
          new Map([
            ['all', 1 + (at % different)],
            ['z', 1],
          ]),
      ),
    )
    expect(chunk.find('all')).toEqual(chunk.expected('all'))
    await chunk.set(
      new Map([
        [3, new Map()],
        [chunkSize - 1, new Map()],
      ]),
    )
    expect(chunk.find('all')).toEqual(chunk.expected('all'))
  })

  it('are cut between words that many records have with many weights', async () => {
    const chunk = createChunk()
    const words = ['fa', 'fb', 'fc', 'fd', 'fe']
    await chunk.set(
      numbered(chunkSize, (at) => new Map(words.map((one, index) => [one, 1 + ((at * (index + 7)) % 400)]))),
    )
    expect(chunk.leaves().map(({ first }) => first)).toEqual(words)
    expect(chunk.find('fb', 'f')).toEqual(chunk.expected('fb', 'f'))
  })

  it('refuse a layout that they do not know', async () => {
    const chunk = createChunk()
    await chunk.set(new Map([[1, wordsWith(['one'])]]))
    ;(chunk.leaves()[0] as { bytes: Uint8Array }).bytes[0] = 9
    expect(() => chunk.find('one')).toThrow('layout 9')
  })
})
