import { describe, expect, it } from 'vitest'
import { hasTerm, scoreWords, termsOf, tokensOf } from '../../../../../shared/lists/search/terms.ts'

const own = new Map([
  ['printer', 80],
  ['print', 30],
  ['jam', 10],
])
const score = (text: string) => scoreWords(own, termsOf(text))

describe('the terms of a search', () => {
  it.each([
    ['jam', 10],
    ['JAM Printer', 90],
    ['printer ja', 90],
    // The best of the words that a prefix has counts.
    ['jam print', 90],
    ['jam jam', 20],
    ['jam jam print', 90],
    ['prin jam', 0],
    ['toner', 0],
    ['', 0],
  ])('of "%s" score %i', (text, expected) => {
    expect(score(text)).toBe(expected)
  })
})

describe('words in quotes', () => {
  const words = (text: string): string[] =>
    termsOf(text).map(
      ({ word, isPrefix, phrase }) => `${word}${isPrefix ? '*' : ''}${phrase ? ` of ${phrase.length}` : ''}`,
    )
  it.each([
    ['"door closer" la', ['door of 2', 'closer of 2', 'la*']],
    ['lamp "Door-Closer"', ['lamp', 'door of 2', 'closer of 2']],
    ['„Tür zu“ «a b» “c d”', ['tur of 2', 'zu of 2', 'a of 2', 'b of 2', 'c of 2', 'd of 2']],
    ['"lamp"', ['lamp of 1']],
    // Not closed yet, without words, and no quotes at all.
    ['"door clo', ['door', 'clo*']],
    ['"" " - " lamp', ['lamp*']],
    ['5" pipe 3" valve', ['5', 'pipe', '3', 'valve*']],
  ])('%s asks for %j', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  it('are at most as many as a search may have', () => {
    expect(termsOf(`"${'a b '.repeat(20)}" c`)).toHaveLength(16)
    expect(termsOf(`${'a b c d '.repeat(5)}"x y"`).at(-1)).toMatchObject({ word: 'y' })
  })

  it('stand side by side, in their order, whole', () => {
    const [term] = termsOf('"door closer"')
    const has = (text: string): boolean => hasTerm(tokensOf(text), term as typeof term & {})
    expect(['The door closer.', 'Door-closer', 'closer door closer'].map(has)).toEqual([true, true, true])
    expect(['door and closer', 'closer door', 'door closers', 'door', ''].map(has)).toEqual(Array(5).fill(false))
  })
})

describe('tokens', () => {
  it.each([
    ['Café MÜNCHEN', ['cafe', 'munchen']],
    ['cafe\u0301 ﬁn', ['cafe', 'fin']],
    ['info@example.com', ['info', 'example', 'com']],
    ['東京の天気', ['東京', 'の', '天気']],
    ['👍 ok 🎉', ['ok']],
    ['𝔸𝔹 x', ['ab', 'x']],
  ])('of "%s" are folded words', (text, expected) => {
    expect(tokensOf(text)).toEqual(expected)
  })
})
