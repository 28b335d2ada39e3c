import { TermScores } from './term-scores.ts'
import type { Term } from './terms.ts'

/** The rows that have one word, with its weight in each. */
interface WordRows {
  readonly rows: number[]
  readonly weights: number[]
}

/** A record gets another row when its words change; the old one stays in the lists, without an id. */
interface WordIndex {
  /** The id of each row; -1 when it was replaced. */
  readonly ids: number[]
  readonly rowOfId: Map<number, number>
  readonly rowsOfWord: Map<string, WordRows>
  /** The words in order, but for those that came lately. */
  readonly sorted: string[]
  late: string[]
}

/** So many words that came lately are looked through one by one, before all are sorted again. */
const mostLate = 2_000
/** So many replaced rows are kept, besides as many as there are records. */
const mostReplaced = 1_000

export type TailWords = ReturnType<typeof createTailWords>

/** The words of records whose changes are not folded into leaves yet. */
export function createTailWords() {
  const wordsOfId = new Map<number, ReadonlyMap<string, number>>()
  let index = indexOf(wordsOfId)

  return {
    /** The present words of a record, none when it is gone; undefined forgets the record: its words are in leaves. */
    set(id: number, words: ReadonlyMap<string, number> | undefined): void {
      if (words) wordsOfId.set(id, words)
      else wordsOfId.delete(id)
      setWords(index, id, words)
      if (index.ids.length > 2 * wordsOfId.size + mostReplaced) index = indexOf(wordsOfId)
    },
    has: (id: number): boolean => wordsOfId.has(id),
    /** Id to score of the records that have every term. */
    find: (terms: readonly Term[]): Map<number, number> => (terms.length === 0 ? new Map() : findIds(index, terms)),
  }
}

function indexOf(wordsOfId: ReadonlyMap<number, ReadonlyMap<string, number>>): WordIndex {
  const index: WordIndex = { ids: [], rowOfId: new Map(), rowsOfWord: new Map(), sorted: [], late: [] }
  for (const [id, words] of wordsOfId) setWords(index, id, words)
  return index
}

function setWords(index: WordIndex, id: number, words: ReadonlyMap<string, number> | undefined): void {
  const { ids, rowOfId, rowsOfWord, late } = index
  const before = rowOfId.get(id)
  if (before !== undefined) ids[before] = -1
  rowOfId.delete(id)
  if (!words || words.size === 0) return
  const row = ids.push(id) - 1
  rowOfId.set(id, row)
  for (const [word, weight] of words) {
    const known = rowsOfWord.get(word)
    if (known) {
      known.rows.push(row)
      known.weights.push(weight)
    } else {
      rowsOfWord.set(word, { rows: [row], weights: [weight] })
      late.push(word)
    }
  }
}

function findIds(index: WordIndex, terms: readonly Term[]): Map<number, number> {
  const { ids, rowsOfWord } = index
  const scores = new TermScores(ids.length)
  for (const { word, isPrefix } of terms) {
    for (const found of isPrefix ? wordsWith(index, word) : [word]) {
      const known = rowsOfWord.get(found)
      if (known) for (const [at, row] of known.rows.entries()) scores.add(row, known.weights[at] as number)
    }
    scores.endTerm()
  }
  const found = new Map<number, number>()
  for (const [row, id] of ids.entries()) {
    const score = scores.sums[row] as number
    if (id !== -1 && score !== 0) found.set(id, score)
  }
  return found
}

/** The known words that start with a prefix. */
function wordsWith(index: WordIndex, prefix: string): string[] {
  const { sorted, late } = index
  if (late.length > mostLate) {
    for (const word of late) sorted.push(word)
    sorted.sort()
    index.late = []
  }
  const found = index.late.filter((word) => word.startsWith(prefix))
  for (let at = firstFrom(sorted, prefix); sorted[at]?.startsWith(prefix); at += 1) found.push(sorted[at] as string)
  return found
}

/** The index of the first of sorted words that is not before this one. */
function firstFrom(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as string) < word) low = middle + 1
    else high = middle
  }
  return low
}
