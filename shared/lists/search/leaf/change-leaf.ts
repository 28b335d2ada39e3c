import { ByteWriter } from './byte-writer.ts'
import type { GroupWriter } from './group-writer.ts'
import { LeafCursor } from './leaf-cursor.ts'
import { clearPostings, emptyPostings, writePostings } from './postings.ts'
import { changePostings, type ChangesByWord } from './word-changes.ts'

/**
 * Writes the words of a leaf (of none when undefined) with the changes of `words`, which are in order. Answers whether
 * there is a difference: false when every change has been made already.
 */
export function changeLeaf(
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
