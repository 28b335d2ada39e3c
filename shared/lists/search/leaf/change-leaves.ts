import { createTurns } from '../../../kernel/runtime/give-way.ts'
import { ByteWriter } from './byte-writer.ts'
import { areJoined, cutLeaves, leafWithWord, type WordLeaf } from './cut-leaves.ts'
import { GroupWriter, type WordGroup } from './group-writer.ts'
import { LeafCursor } from './leaf-cursor.ts'
import { clearPostings, emptyPostings, writePostings } from './postings.ts'
import { changePostings, changesByWord, type ChangesByWord, type WordChange } from './word-changes.ts'

/** A leaf after a change: one that stays (its index among the leaves before), or a new one. */
export type NextLeaf = { readonly kept: number } | WordLeaf

const noWords: ReadonlyMap<string, number> = new Map()
/** So many words are written before it is asked whether others have their turn. */
const wordsAtOnce = 250

/** The leaves of a whole chunk, from the words of its records by position. */
export async function buildLeaves(words: ReadonlyMap<number, ReadonlyMap<string, number>>): Promise<WordLeaf[]> {
  const changes = new Map<number, WordChange>()
  for (const [position, after] of words) changes.set(position, { before: noWords, after })
  return leavesOf(await changesByWord(changes))
}

/**
 * The leaves of a chunk after changed records (by position), in order. `read` is asked for all leaves to change at once.
 * A leaf whose content stays is kept, so the same change applied again changes nothing. Empty leaves vanish, large ones
 * are split, small neighbours that change are joined.
 */
export async function changeLeaves(
  leaves: readonly Pick<WordLeaf, 'first'>[],
  read: (index: number) => Promise<Uint8Array> | Uint8Array,
  changes: ReadonlyMap<number, WordChange>,
): Promise<readonly NextLeaf[]> {
  const changed = await changesByWord(changes)
  if (leaves.length === 0) return leavesOf(changed)
  const wordsByLeaf = Map.groupBy(changed.words, (word) => Math.max(0, leafWithWord(leaves, word)))
  const touched = await Promise.all(
    [...wordsByLeaf].map(async ([index, words]) => [index, { words, bytes: await read(index) }] as const),
  )
  return rewriteLeaves(leaves.length, new Map(touched), changed)
}

async function leavesOf(changed: ChangesByWord): Promise<WordLeaf[]> {
  const writer = new GroupWriter()
  const nextTurn = createTurns()
  for (let start = 0; start < changed.words.length; start += wordsAtOnce) {
    changeLeaf(undefined, changed.words.slice(start, start + wordsAtOnce), changed, writer)
    await nextTurn()
  }
  const groups = writer.take()
  return cutLeaves(writer.bytes, groups)
}

interface TouchedLeaf {
  readonly bytes: Uint8Array
  /** The words to change, in order. */
  readonly words: readonly string[]
}

async function rewriteLeaves(
  count: number,
  touched: ReadonlyMap<number, TouchedLeaf>,
  changed: ChangesByWord,
): Promise<NextLeaf[]> {
  const writer = new GroupWriter()
  const next: NextLeaf[] = []
  /** Written, but not cut into leaves yet: the next leaf may be joined. */
  let open: WordGroup[] = []
  const cutOpen = (): void => {
    next.push(...cutLeaves(writer.bytes, open))
    open = []
  }
  const nextTurn = createTurns()
  for (let index = 0; index < count; index += 1) {
    await nextTurn()
    const leaf = touched.get(index)
    const isDifferent = leaf !== undefined && changeLeaf(leaf.bytes, leaf.words, changed, writer)
    const groups = writer.take()
    if (!isDifferent) {
      cutOpen()
      next.push({ kept: index })
      continue
    }
    if (!areJoined(open, groups)) cutOpen()
    open = open.concat(groups)
  }
  cutOpen()
  return next
}

/**
 * Writes the words of a leaf (of none when undefined) with the changes of `words`, which are in order. Answers whether
 * there is a difference: false when every change has been made already.
 */
function changeLeaf(
  leaf: Uint8Array | undefined,
  words: readonly string[],
  changed: ChangesByWord,
  writer: GroupWriter,
): boolean {
  const cursor = leaf && new LeafCursor(leaf)
  const [before, changes, after] = [emptyPostings(), emptyPostings(), emptyPostings()]
  const bytes = new ByteWriter()
  let isDifferent = false
  let isMore = cursor?.next() ?? false
  const copyWord = (): void => {
    if (!cursor) return
    writer.add(cursor.word, cursor.wordLength, cursor.bytes, cursor.postingsAt, cursor.nextAt)
    isMore = cursor.next()
  }

  for (const word of words) {
    const encoded = Buffer.from(word)
    let order = 1
    while (cursor && isMore && (order = cursor.compare(encoded)) < 0) copyWord()
    const isKnown = isMore && order === 0
    if (cursor && isKnown) cursor.readPostings(before)
    else clearPostings(before)
    changed.read(word, changes)
    changePostings(before, changes, after)
    bytes.length = 0
    if (after.count > 0) {
      writePostings(bytes, after)
      writer.add(encoded, encoded.length, bytes.bytes, 0, bytes.length)
    }
    if (!isDifferent) isDifferent = cursor && isKnown ? !cursor.hasPostings(bytes) : after.count > 0
    if (cursor && isKnown) isMore = cursor.next()
  }
  while (isMore) copyWord()
  return isDifferent
}
