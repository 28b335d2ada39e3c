import { maxWordCharacters } from '../../kernel/limits/lists.ts'

/** A word to find, or the prefix of one. */
export interface Term {
  readonly word: string
  readonly isPrefix: boolean
}

/** What a search for these words (tokens of `tokensOf`) asks for: each of them once, the last one as a prefix. */
export function termsOf(words: readonly string[]): Term[] {
  const last = words.at(-1)
  const whole = [...new Set(words.slice(0, -1))].map((word) => ({ word, isPrefix: false }))
  return last === undefined ? [] : [...whole, { word: last, isPrefix: true }]
}

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
