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

/** The known word that is most like a mistyped one; undefined when none is like it. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  let [nearest, least]: [string | undefined, number] = [undefined, Math.max(1, Math.floor(word.length / 3)) + 1]
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const distance = editDistance(word, candidate, least)
    if (distance < least) [nearest, least] = [candidate, distance]
  }
  return nearest
}

/** How many letters have to be changed, added, removed or swapped with their neighbour; or `enough` of them, or more. */
function editDistance(a: string, b: string, enough: number): number {
  const width = b.length + 1
  let [beforeLast, last, row] = [new Uint16Array(width), new Uint16Array(width), new Uint16Array(width)]
  for (let j = 0; j < width; j += 1) last[j] = j
  let leastBefore = 0
  for (let i = 1; i < a.length + 1; i += 1) {
    row[0] = i
    let leastHere = i
    for (let j = 1; j < width; j += 1) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      const isSwapped =
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      if (isSwapped) distance = Math.min(distance, beforeLast[j - 2]! + 1)
      row[j] = distance
      leastHere = Math.min(leastHere, distance)
    }
    // A swap reaches over one row, so two rows without a smaller distance decide.
    if (leastHere >= enough && leastBefore >= enough) return enough
    leastBefore = leastHere
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return last[b.length]!
}

/** For how many wrong names of one request the right one is looked for: each is compared with every name that is known. */
const suggestedNames = 20

/** Looks for the nearest known words of one request: for the first wrong ones only, because thousands would take seconds. */
export function openSuggestions(): typeof nearestWord {
  let left = suggestedNames
  return (word, known) => (left-- > 0 ? nearestWord(word, known) : undefined)
}
