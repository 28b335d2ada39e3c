import { describe, expect, it } from 'vitest'
import { scoreWords, termsOf, tokensOf } from '../../../../../shared/lists/search/terms.ts'

const own = new Map([
  ['printer', 80],
  ['print', 30],
  ['jam', 10],
])
const score = (text: string) => scoreWords(own, termsOf(tokensOf(text)))

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
