import { maxWordCharacters } from '../../kernel/limits/lists.ts'

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
