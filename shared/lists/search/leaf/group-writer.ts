import { ByteWriter } from './byte-writer.ts'

/** Up to 16 words, written together: a reader decodes the words of one group to find one. */
export interface WordGroup {
  readonly start: number
  readonly end: number
}

const wordsPerGroup = 16
/** A group that has as many bytes is complete, so that leaves can be cut between words with many postings. */
const fullGroupBytes = 512

/** Writes words, in order, as groups. See `LeafCursor` for their form. */
export class GroupWriter {
  readonly #writer = new ByteWriter()
  #before: Uint8Array = new Uint8Array(256)
  #beforeLength = 0
  #groups: WordGroup[] = []
  #start = 0
  #words = 0

  get bytes(): Uint8Array {
    return this.#writer.bytes
  }

  /** Adds a word (UTF-8) with its encoded postings. */
  add(word: Uint8Array, wordLength: number, postings: Uint8Array, start: number, end: number): void {
    const writer = this.#writer
    const shared = this.#words === 0 ? 0 : this.#sharedWith(word, wordLength)
    writer.writeNumber(shared)
    writer.writeNumber(wordLength - shared)
    writer.writeBytes(word, shared, wordLength)
    writer.writeBytes(postings, start, end)
    this.#remember(word, shared, wordLength)
    this.#words += 1
    if (this.#words === wordsPerGroup || writer.length - this.#start >= fullGroupBytes) this.#endGroup()
  }

  /** Ends the present group and answers all since the last call. */
  take(): WordGroup[] {
    this.#endGroup()
    const groups = this.#groups
    this.#groups = []
    return groups
  }

  #endGroup(): void {
    if (this.#words > 0) this.#groups.push({ start: this.#start, end: this.#writer.length })
    this.#start = this.#writer.length
    this.#words = 0
  }

  #sharedWith(word: Uint8Array, wordLength: number): number {
    const most = Math.min(wordLength, this.#beforeLength)
    let shared = 0
    while (shared < most && word[shared] === this.#before[shared]) shared += 1
    return shared
  }

  #remember(word: Uint8Array, shared: number, wordLength: number): void {
    if (wordLength > this.#before.length) {
      const grown = new Uint8Array(2 * wordLength)
      grown.set(this.#before)
      this.#before = grown
    }
    for (let at = shared; at < wordLength; at += 1) this.#before[at] = word[at] as number
    this.#beforeLength = wordLength
  }
}
