import { lowerBound } from '../../../kernel/collections/lower-bound.ts'
import { ByteReader, type ByteWriter } from './byte-writer.ts'
import { readPostings, skipPostings, type Postings } from './postings.ts'

/** The first byte of every leaf. */
export const leafLayout = 1
/** The layout, and how many groups there are. */
export const headBytes = 3

/**
 * Reads the words of a leaf in order, without decoding postings that nobody asks for. A leaf is the layout (1 byte), the
 * number of its groups, the offset of each (2 bytes, low byte first), then the groups. A group is some 16 words, each as
 * how many bytes it shares with the word before (none in the first word), the length of the rest, the rest in UTF-8, its
 * postings. Words ascend by UTF-16 units, as JavaScript compares text.
 */
export class LeafCursor {
  readonly bytes: Uint8Array
  /** The present word in UTF-8, in the first `wordLength` bytes. */
  word: Buffer = Buffer.allocUnsafe(256)
  wordLength = 0
  /** Where the postings of the present word start. */
  postingsAt = 0
  /** Where they end, and the next word starts. */
  nextAt: number
  readonly #reader: ByteReader
  readonly #groups: number

  constructor(bytes: Uint8Array) {
    if (bytes[0] !== leafLayout) throw new Error(`cannot read a leaf of words of layout ${bytes[0]}`)
    this.bytes = bytes
    this.#reader = new ByteReader(bytes)
    this.#groups = readUint16(bytes, 1)
    this.nextAt = headBytes + 2 * this.#groups
  }

  /** Moves to the next word, at first to the first one; false at the end. */
  next(): boolean {
    const { bytes } = this
    const reader = this.#reader
    reader.at = this.nextAt
    if (reader.at >= bytes.length) return false
    const shared = reader.readNumber()
    const rest = reader.readNumber()
    if (shared + rest > this.word.length) this.word = Buffer.concat([this.word, Buffer.alloc(shared + rest)])
    const { word } = this
    for (let at = 0; at < rest; at += 1) word[shared + at] = bytes[reader.at + at] as number
    this.wordLength = shared + rest
    reader.at += rest
    this.postingsAt = reader.at
    skipPostings(reader)
    this.nextAt = reader.at
    return true
  }

  /** Moves to the first word that is not before this one (UTF-8); false when there is none. */
  seek(word: Uint8Array): boolean {
    const behind = lowerBound(1, this.#groups, (group) => this.#compareGroup(group, word) <= 0)
    this.nextAt = this.#groupAt(behind - 1)
    while (this.next()) if (this.compare(word) >= 0) return true
    return false
  }

  /** Below 0 when the present word is before this one (UTF-8), 0 when it is this one. */
  compare(word: Uint8Array): number {
    return compareBytes(this.word, 0, this.wordLength, word)
  }

  /** Whether the present word is this one (UTF-8), or starts with it. */
  isAt(word: Uint8Array, isPrefix: boolean): boolean {
    if (isPrefix ? this.wordLength < word.length : this.wordLength !== word.length) return false
    for (let at = 0; at < word.length; at += 1) if (this.word[at] !== word[at]) return false
    return true
  }

  wordText(): string {
    return this.word.toString('utf8', 0, this.wordLength)
  }

  /** Decodes the postings of the present word into `into`. */
  readPostings(into: Postings): void {
    this.#reader.at = this.postingsAt
    readPostings(this.#reader, into)
  }

  /** Whether the encoded postings of the present word are these. */
  hasPostings({ bytes, length }: Pick<ByteWriter, 'bytes' | 'length'>): boolean {
    if (this.nextAt - this.postingsAt !== length) return false
    for (let at = 0; at < length; at += 1) if (this.bytes[this.postingsAt + at] !== bytes[at]) return false
    return true
  }

  #groupAt(group: number): number {
    return headBytes + 2 * this.#groups + readUint16(this.bytes, headBytes + 2 * group)
  }

  #compareGroup(group: number, word: Uint8Array): number {
    const reader = this.#reader
    // The first word of a group shares nothing: one byte 0.
    reader.at = this.#groupAt(group) + 1
    const length = reader.readNumber()
    return compareBytes(this.bytes, reader.at, reader.at + length, word)
  }
}

const readUint16 = (bytes: Uint8Array, at: number): number => (bytes[at] as number) | ((bytes[at + 1] as number) << 8)

/** Compares two texts in UTF-8 by their UTF-16 units. */
function compareBytes(bytes: Uint8Array, start: number, end: number, word: Uint8Array): number {
  const shared = Math.min(end - start, word.length)
  for (let at = 0; at < shared; at += 1) {
    const [one, other] = [bytes[start + at] as number, word[at] as number]
    if (one !== other) return rank(one) - rank(other)
  }
  return end - start - word.length
}

/** U+E000 to U+FFFF (bytes EE and EF) are above the characters of four bytes (F0 to F4), which have surrogates. */
const rank = (byte: number): number => (byte === 0xee || byte === 0xef ? byte + 8 : byte)
