/** The words of one chunk, in leaves and in a model that is searched record by record. */
import { buildLeaves, changeLeaves, type NextLeaf } from '../../../../shared/lists/search/leaf/change-leaves.ts'
import { leavesFor, type WordLeaf } from '../../../../shared/lists/search/leaf/cut-leaves.ts'
import type { WordChange } from '../../../../shared/lists/search/leaf/word-changes.ts'
import { scoreChunk } from '../../../../shared/lists/search/score-chunk.ts'
import { scoreWords, termsOf } from '../../../../shared/lists/search/terms.ts'

export type Words = ReadonlyMap<string, number>

export const chunkSize = 16_384
const noWords: Words = new Map()

export const wordsWith = (words: readonly string[], weight = 10): Words => new Map(words.map((word) => [word, weight]))

/** Applies changes; those of unknown leaves count as new. */
export async function change(
  leaves: readonly WordLeaf[],
  changes: ReadonlyMap<number, WordChange>,
): Promise<{ leaves: WordLeaf[]; next: readonly NextLeaf[] }> {
  const next = await changeLeaves(leaves, (index) => (leaves[index] as WordLeaf).bytes, changes)
  return { next, leaves: next.map((leaf) => ('kept' in leaf ? (leaves[leaf.kept] as WordLeaf) : leaf)) }
}

/** A chunk that a test changes. */
export function createChunk() {
  const model = new Map<number, Words>()
  let leaves: readonly WordLeaf[] = []
  return {
    leaves: () => leaves,
    model: (): ReadonlyMap<number, Words> => model,
    /** Gives positions other words; answers the change and what it made of the leaves. */
    async set(after: ReadonlyMap<number, Words>) {
      const changes = new Map<number, WordChange>()
      for (const [position, words] of after) {
        changes.set(position, { before: model.get(position) ?? noWords, after: words })
        model.set(position, words)
      }
      const changed = await change(leaves, changes)
      leaves = changed.leaves
      return { changes, next: changed.next }
    },
    async build() {
      leaves = await buildLeaves(model)
    },
    find: (...words: string[]) => search(leaves, words),
    expected: (...words: string[]) => expected(model, words),
  }
}

/** Position and score of what a search in leaves finds. */
export function search(leaves: readonly WordLeaf[], words: readonly string[]): [position: number, score: number][] {
  const terms = termsOf(words.join(' '))
  const { positions, scores } = scoreChunk(
    terms,
    terms.map((term) => leavesFor(leaves, term).map((index) => (leaves[index] as WordLeaf).bytes)),
    chunkSize,
  )
  return [...positions].map((position, at) => [position, scores[at] as number])
}

const expected = (model: ReadonlyMap<number, Words>, words: readonly string[]): [number, number][] =>
  [...model]
    .map(([position, own]): [number, number] => [position, scoreWords(own, termsOf(words.join(' ')))])
    .filter(([, score]) => score > 0)
    .sort(([one], [other]) => one - other)
