import { createTurns } from '../../../kernel/runtime/give-way.ts'
import { addPosting, clearPostings, type Postings } from './postings.ts'

/** The words of one record before and after a change; no words where there was or is no record. */
export interface WordChange {
  readonly before: ReadonlyMap<string, number>
  readonly after: ReadonlyMap<string, number>
}

export interface ChangesByWord {
  /** The words that change, in order. */
  readonly words: readonly string[]
  /** Writes to `into` the positions where a word changes; weight 0 removes the position. */
  read(word: string, into: Postings): void
}

/** Turns the changed words of positions into changed positions of words. A word of the same weight is no change. */
export async function changesByWord(changes: ReadonlyMap<number, WordChange>): Promise<ChangesByWord> {
  const nextTurn = createTurns()
  let most = 0
  for (const { before, after } of changes.values()) most += before.size + after.size
  // Sorted by counting, without an object per word.
  const numberOfWord = new Map<string, number>()
  const counts: number[] = []
  const [numbers, positions, weights] = [new Uint32Array(most), new Uint16Array(most), new Uint32Array(most)]
  let count = 0
  const add = (word: string, position: number, weight: number): void => {
    let number = numberOfWord.get(word)
    if (number === undefined) {
      number = counts.push(0) - 1
      numberOfWord.set(word, number)
    }
    counts[number] = (counts[number] as number) + 1
    numbers[count] = number
    positions[count] = position
    weights[count] = weight
    count += 1
  }
  for (const position of [...changes.keys()].sort((one, other) => one - other)) {
    const { before, after } = changes.get(position) as WordChange
    for (const word of before.keys()) if (!after.has(word)) add(word, position, 0)
    for (const [word, weight] of after) if (before.get(word) !== weight) add(word, position, weight)
    await nextTurn()
  }

  const ends = new Uint32Array(counts.length)
  for (let number = 1; number < ends.length; number += 1) {
    ends[number] = (ends[number - 1] as number) + (counts[number - 1] as number)
  }
  const places = new Uint32Array(count)
  for (let at = 0; at < count; at += 1) {
    const number = numbers[at] as number
    const end = ends[number] as number
    places[end] = at
    ends[number] = end + 1
  }

  return {
    words: [...numberOfWord.keys()].sort(),
    read(word, into) {
      clearPostings(into)
      const number = numberOfWord.get(word) as number
      const end = ends[number] as number
      for (let at = end - (counts[number] as number); at < end; at += 1) {
        const place = places[at] as number
        addPosting(into, positions[place] as number, weights[place] as number)
      }
    },
  }
}

/** Writes to `into` the postings with the changes. */
export function changePostings(postings: Postings, changes: Postings, into: Postings): void {
  clearPostings(into)
  let [at, changed] = [0, 0]
  while (at < postings.count || changed < changes.count) {
    const position = at < postings.count ? (postings.positions[at] as number) : Infinity
    const next = changed < changes.count ? (changes.positions[changed] as number) : Infinity
    if (position < next) addPosting(into, position, postings.weights[at] as number)
    else if (changes.weights[changed] !== 0) addPosting(into, next, changes.weights[changed] as number)
    if (position <= next) at += 1
    if (next <= position) changed += 1
  }
}
