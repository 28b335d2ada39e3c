import { hasTerm, type Term, tokensOf } from '../../../lists/search/terms.ts'

/** Characters before the first word that was found, and of the whole piece. */
const before = 40
const pieceCharacters = 160

/** A piece of a text with the words that were found in it. */
export interface Highlight {
  readonly text: string
  /** Where they are in `text`: first character, and the one after the last. */
  readonly marks: readonly (readonly [from: number, to: number])[]
}

/** The piece of a text around the first word that a search found; undefined when it found none there. */
export function highlight(text: string, terms: readonly Term[]): Highlight | undefined {
  const found = placesOf(text, terms)
  const first = found[0]
  if (!first) return undefined
  const start = first[0] <= before ? 0 : afterSpace(text, first[0] - before, first[0])
  const end = Math.min(text.length, Math.max(start + pieceCharacters, first[1]))
  const [head, tail] = [start > 0 ? '…' : '', end < text.length ? '…' : '']
  const shift = head.length - start
  return {
    text: head + text.slice(start, end).toWellFormed() + tail,
    marks: found.filter(([, to]) => to <= end).map(([from, to]) => [from + shift, to + shift]),
  }
}

/** The place after the first space between two places, so that a piece begins with a word. */
function afterSpace(text: string, from: number, to: number): number {
  const space = text.indexOf(' ', from)
  return space === -1 || space >= to ? from : space + 1
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Where the words of a search are in a text, as it takes texts apart (`tokensOf`); of phrases where they stand side by side. */
function placesOf(text: string, terms: readonly Term[]): (readonly [number, number])[] {
  const words: { readonly token: string; readonly from: number; readonly to: number }[] = []
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (!isWordLike) continue
    // Words joined by punctuation are words of their own.
    for (const { 0: word, index: within } of segment.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
      const [from, to] = [index + within, index + within + word.length]
      words.push(...tokensOf(word).map((token) => ({ token, from, to })))
    }
  }
  const found = new Set<number>()
  for (const at of words.keys())
    for (const term of terms) {
      const length = term.phrase?.length ?? 1
      const here = words.slice(at, at + length).map(({ token }) => token)
      if (hasTerm(here, term)) for (let next = at; next < at + length; next += 1) found.add(next)
    }
  const places = [...found].sort((a, b) => a - b).map((at) => words[at] as (typeof words)[number])
  return [...new Map(places.map(({ from, to }) => [from, [from, to] as const])).values()]
}
