import type { Term } from '../terms.ts'
import type { WordLeaf } from './cut-leaves.ts'

type FirstWords = readonly Pick<WordLeaf, 'first'>[]

/** The index of the leaf that has a word if any has: the last one that does not start behind it; -1 before all leaves. */
export function leafWithWord(leaves: FirstWords, word: string): number {
  let [low, high] = [-1, leaves.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((leaves[middle] as WordLeaf).first <= word) low = middle
    else high = middle - 1
  }
  return low
}

/** The leaves of a chunk that may have words for a term, by their index, rising. A short prefix may have many. */
export function leavesFor(leaves: FirstWords, { word, isPrefix }: Term): number[] {
  const start = leafWithWord(leaves, word)
  const indexes = start < 0 ? [] : [start]
  if (!isPrefix) return indexes
  for (let index = start + 1; leaves[index]?.first.startsWith(word); index += 1) indexes.push(index)
  return indexes
}
