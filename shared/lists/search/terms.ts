import { maxSearchWords, maxWordCharacters } from '../../kernel/limits/lists.ts'

/** A word to find, or the prefix of one. `phrase`: the words in quotes that it is one of. */
export interface Term {
  readonly word: string
  readonly isPrefix: boolean
  readonly phrase?: readonly string[]
}

/** Words between quotes. A mark after a letter or a digit is no quote (`5" pipe`). */
const quoted = /(?<![\p{L}\p{N}])["“”„«»]([^"“”„«»]+)["“”«»](?![\p{L}\p{N}])/gu

/**
 * What the text of a search asks for: each word once, the last one as a prefix; words in quotes side by side and whole. The
 * first `maxSearchWords`.
 */
export function termsOf(text: string): Term[] {
  const terms: Term[] = []
  const addWords = (words: readonly string[]): void =>
    void terms.push(...[...new Set(words)].map((word) => ({ word, isPrefix: false })))
  let from = 0
  for (const match of text.matchAll(quoted)) {
    addWords(tokensOf(text.slice(from, match.index)))
    const phrase = tokensOf(match[1] as string)
    terms.push(...phrase.map((word) => ({ word, isPrefix: false, phrase })))
    from = match.index + match[0].length
  }
  const typed = tokensOf(text.slice(from)).slice(0, maxSearchWords - terms.length)
  addWords(typed.slice(0, -1))
  terms.push(...typed.slice(-1).map((word) => ({ word, isPrefix: true })))
  return terms.slice(0, maxSearchWords)
}

/** The phrases of a search. */
export const phrasesOf = (terms: readonly Term[]): (readonly string[])[] => [
  ...new Set(terms.flatMap(({ phrase }) => (phrase ? [phrase] : []))),
]

/** Whether the words of a phrase stand side by side among tokens. */
export const hasPhrase = (tokens: readonly string[], phrase: readonly string[]): boolean =>
  tokens.some((_, at) => phrase.every((word, index) => tokens[at + index] === word))

/** Whether tokens have the word of a term, or its phrase. */
export const hasTerm = (tokens: readonly string[], { word, isPrefix, phrase }: Term): boolean =>
  phrase ? hasPhrase(tokens, phrase) : tokens.some((token) => (isPrefix ? token.startsWith(word) : token === word))

/**
 * How well words match: the sum over all terms of the best weight; 0 when a term is missing, or without terms. `more`: how
 * well the term with an index matches elsewhere.
 */
export function scoreWords(
  words: ReadonlyMap<string, number>,
  terms: readonly Term[],
  more: (index: number) => number = nowhere,
): number {
  let score = 0
  for (const [index, term] of terms.entries()) {
    const weight = Math.max(weightOf(words, term), more(index))
    if (weight === 0) return 0
    score += weight
  }
  return score
}

const nowhere = (): number => 0

function weightOf(words: ReadonlyMap<string, number>, { word, isPrefix }: Term): number {
  let weight = words.get(word) ?? 0
  if (isPrefix) for (const [other, more] of words) if (more > weight && other.startsWith(word)) weight = more
  return weight
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * The words of a text in order, folded: without case and diacritics, compatible forms alike (`ﬁ` is `fi`). Words joined
 * by punctuation (`example.com`) are split. Both records and searches are tokenized by this function.
 */
export function tokensOf(text: string): string[] {
  // Fast path for ASCII; the result is the same.
  if (/^[ -~\t\r\n]*$/.test(text)) return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(cut)
  const tokens: string[] = []
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .normalize('NFC')
  for (const { segment, isWordLike } of segmenter.segment(folded)) {
    if (isWordLike) tokens.push(...(segment.match(/[\p{L}\p{N}]+/gu) ?? []).map(cut))
  }
  return tokens
}

const cut = (token: string): string =>
  token.length <= maxWordCharacters ? token : [...token].slice(0, maxWordCharacters).join('')
