import { lowerBound } from '../../../kernel/collections/lower-bound.ts'
import type { Term } from '../terms.ts'
import type { WordGroup } from './group-writer.ts'
import { headBytes, LeafCursor, leafLayout } from './leaf-cursor.ts'

/** Some words in order with their postings, about 12 KB: what is stored and read as one block. */
export interface WordLeaf {
  /** The first word. */
  readonly first: string
  readonly bytes: Uint8Array
}

const leafBytes = 12 * 1024
/** A larger leaf is split. Only one group of words alone may need more. */
const maxLeafBytes = 2 * leafBytes

const groupsBytes = (groups: readonly WordGroup[]): number =>
  groups.reduce((sum, { start, end }) => sum + end - start, 0)

/** Whether the groups of two neighbours are few enough for one leaf. */
export const areJoined = (one: readonly WordGroup[], other: readonly WordGroup[]): boolean =>
  groupsBytes(one) + groupsBytes(other) <= leafBytes

/** The groups (ranges of `bytes`) as one leaf, or as several of about 12 KB when they have more than 24 KB. */
export function cutLeaves(bytes: Uint8Array, groups: readonly WordGroup[]): WordLeaf[] {
  const total = groupsBytes(groups)
  const enough = total <= maxLeafBytes ? maxLeafBytes : total / Math.round(total / leafBytes)
  const leaves: WordLeaf[] = []
  let some: WordGroup[] = []
  let size = 0
  for (const group of groups) {
    const more = group.end - group.start
    if (some.length > 0 && (size >= enough || size + more > maxLeafBytes)) {
      leaves.push(leafOf(bytes, some))
      some = []
      size = 0
    }
    some.push(group)
    size += more
  }
  if (some.length > 0) leaves.push(leafOf(bytes, some))
  return leaves
}

function leafOf(source: Uint8Array, groups: readonly WordGroup[]): WordLeaf {
  const start = headBytes + 2 * groups.length
  const bytes = new Uint8Array(start + groupsBytes(groups))
  const view = new DataView(bytes.buffer)
  bytes[0] = leafLayout
  view.setUint16(1, groups.length, true)
  let offset = 0
  for (const [at, group] of groups.entries()) {
    view.setUint16(headBytes + 2 * at, offset, true)
    bytes.set(source.subarray(group.start, group.end), start + offset)
    offset += group.end - group.start
  }
  const cursor = new LeafCursor(bytes)
  cursor.next()
  return { first: cursor.wordText(), bytes }
}

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
