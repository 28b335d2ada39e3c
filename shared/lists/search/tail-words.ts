import { lowerBound } from '../../kernel/collections/lower-bound.ts'
import { TermScores } from './term-scores.ts'
import type { Term } from './terms.ts'

/**
 * A record gets another row when its words change; the old one stays in the lists, without an id. A list is a chain of
 * cells in one array, three numbers each: the row, the weight, and the cell that follows. A search that was used once
 * keeps the words of every record that is not folded, so they must be small.
 */
interface WordIndex {
  /** The id of each row; -1 when it was replaced. */
  readonly ids: number[]
  /** -1: the record has no words. */
  readonly rowOfId: Map<number, number>
  cells: Uint32Array<ArrayBuffer>
  /** The first free place in `cells`: 0 is none, so that it ends a chain. */
  used: number
  /** Where the chain of each word begins. */
  readonly firstCell: Map<string, number>
  /** The words in order, but for those that came lately. */
  readonly sorted: string[]
  late: string[]
}

/** So many words that came lately are looked through one by one, before all are sorted again. */
const maxLateWords = 2_000
/** So many replaced rows are kept, besides as many as there are records. */
const maxReplacedWords = 1_000
const cellLength = 3
const firstLength = 1024 * cellLength

export type TailWords = ReturnType<typeof createTailWords>

/** The words of records whose changes are not folded into leaves yet. */
export function createTailWords() {
  let index = emptyIndex()
  const shorten = (): void => {
    if (index.ids.length > 2 * index.rowOfId.size + maxReplacedWords) index = withoutReplaced(index)
  }

  return {
    /** Roughly what they take in memory. */
    get bytes(): number {
      return index.cells.byteLength + index.firstCell.size * wordBytes + index.rowOfId.size * recordBytes
    },
    /** The present words of a record, none when it is gone. */
    set(id: number, words: ReadonlyMap<string, number>): void {
      setWords(index, id, words)
      shorten()
    },
    /** The records that have a row, with words or without. */
    ids: (): Iterable<number> => index.rowOfId.keys(),
    /** Forgets a record. */
    forget(id: number): void {
      const row = index.rowOfId.get(id) ?? -1
      if (row !== -1) index.ids[row] = -1
      index.rowOfId.delete(id)
      shorten()
    },
    /** Id to score of the records that have every term. */
    find: (terms: readonly Term[]): Map<number, number> => (terms.length === 0 ? new Map() : findIds(index, terms)),
  }
}

/** What a word takes, with its places in the map and in the order; and what a record takes beside its words. */
const wordBytes = 100
const recordBytes = 50

const emptyIndex = (): WordIndex => ({
  ids: [],
  rowOfId: new Map(),
  cells: new Uint32Array(firstLength),
  used: cellLength,
  firstCell: new Map(),
  sorted: [],
  late: [],
})

function setWords(index: WordIndex, id: number, words: ReadonlyMap<string, number>): void {
  const { ids, rowOfId } = index
  const before = rowOfId.get(id) ?? -1
  if (before !== -1) ids[before] = -1
  const row = words.size === 0 ? -1 : ids.push(id) - 1
  rowOfId.set(id, row)
  for (const [word, weight] of words) addCell(index, word, row, weight)
}

function addCell(index: WordIndex, word: string, row: number, weight: number): void {
  const { firstCell, used } = index
  if (used === index.cells.length) {
    const longer = new Uint32Array(used * 2)
    longer.set(index.cells)
    index.cells = longer
  }
  const first = firstCell.get(word)
  if (first === undefined) index.late.push(word)
  index.cells[used] = row
  index.cells[used + 1] = weight
  index.cells[used + 2] = first ?? 0
  index.used = used + cellLength
  firstCell.set(word, used)
}

/** The same words in fewer cells. */
function withoutReplaced({ ids, rowOfId, cells, firstCell }: WordIndex): WordIndex {
  const index = emptyIndex()
  const newRows = ids.map((id) => (id === -1 ? -1 : index.ids.push(id) - 1))
  for (const [id, row] of rowOfId) index.rowOfId.set(id, newRows[row] ?? -1)
  for (const [word, first] of firstCell) {
    for (let cell = first; cell !== 0; cell = cells[cell + 2] as number) {
      const row = newRows[cells[cell] as number] as number
      if (row !== -1) addCell(index, word, row, cells[cell + 1] as number)
    }
  }
  return index
}

/** Memory of one search at a time: none waits for another. */
const scores = new TermScores()
const [someRows, someWeights] = [new Uint32Array(1024), new Uint32Array(1024)]

function findIds(index: WordIndex, terms: readonly Term[]): Map<number, number> {
  scores.begin(index.ids.length)
  for (const { word, isPrefix } of terms) {
    for (const found of isPrefix ? wordsWith(index, word) : [word]) addChain(index, index.firstCell.get(found) ?? 0)
    scores.endTerm()
  }
  const found = new Map<number, number>()
  for (const row of scores.found()) {
    const id = index.ids[row] as number
    if (id !== -1) found.set(id, scores.scoreOf(row))
  }
  return found
}

/** Adds the rows of the chain of a word. */
function addChain({ cells }: WordIndex, first: number): void {
  for (let cell = first; cell !== 0;) {
    let count = 0
    for (; cell !== 0 && count < someRows.length; cell = cells[cell + 2] as number) {
      someRows[count] = cells[cell] as number
      someWeights[count] = cells[cell + 1] as number
      count += 1
    }
    scores.add(someRows, someWeights, count)
  }
}

/** The known words that start with a prefix. */
function wordsWith(index: WordIndex, prefix: string): string[] {
  const { sorted, late } = index
  if (late.length > maxLateWords) {
    for (const word of late) sorted.push(word)
    sorted.sort()
    index.late = []
  }
  const found = index.late.filter((word) => word.startsWith(prefix))
  for (let at = firstFrom(sorted, prefix); sorted[at]?.startsWith(prefix); at += 1) found.push(sorted[at] as string)
  return found
}

/** The index of the first of sorted words that is not before this one. */
const firstFrom = (sorted: readonly string[], word: string): number =>
  lowerBound(0, sorted.length, (index) => (sorted[index] as string) < word)
