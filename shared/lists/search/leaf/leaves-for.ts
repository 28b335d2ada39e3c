import { lowerBound } from '../../../kernel/collections/lower-bound.ts'
import type { Term } from '../terms.ts'
import type { WordLeaf } from './cut-leaves.ts'

type FirstWords = readonly Pick<WordLeaf, 'first'>[]

/** The index of the leaf that has a word if any has: the last one that does not start behind it; -1 before all leaves. */
export const leafWithWord = (leaves: FirstWords, word: string): number =>
  lowerBound(0, leaves.length, (index) => (leaves[index] as WordLeaf).first <= word) - 1

/** The leaves of a chunk that may have words for a term, by their index, rising. A short prefix may have many. */
export function leavesFor(leaves: FirstWords, { word, isPrefix }: Term): number[] {
  const start = leafWithWord(leaves, word)
  const indexes = start < 0 ? [] : [start]
  if (!isPrefix) return indexes
  for (let index = start + 1; leaves[index]?.first.startsWith(word); index += 1) indexes.push(index)
  return indexes
}
