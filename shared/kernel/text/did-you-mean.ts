import { nearestWord } from './nearest-word.ts'

const maxListed = 30
const maxCharacters = 80

/**
 * ` Did you mean <word>?` with the known word that is most like a mistyped one; empty when none is like it. `nearest`: how
 * it is looked for.
 */
export function didYouMean(word: string, known: Iterable<string>, nearest = nearestWord): string {
  const meant = nearest(word, known)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

/** Words for a message: all of them, or as many as one reads. */
export function listed(words: readonly string[]): string {
  const more = words.length - maxListed
  return more > 0 ? `${words.slice(0, maxListed).join(', ')} and ${more} more` : words.join(', ')
}

/** A text of a request, as a message repeats it. */
export const shown = (text: string): string =>
  (text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text).toWellFormed()

/**
 * `there is no such role. Did you mean agent?`; without a word like it, with all that there are. The word itself is not
 * repeated: the path of the message says where it stands.
 */
export const thereIsNo = (kind: string, word: string, known: readonly string[]): string =>
  `there is no such ${kind}.${didYouMean(word, known) || (known.length > 0 ? ` There are: ${listed(known)}.` : '')}`
