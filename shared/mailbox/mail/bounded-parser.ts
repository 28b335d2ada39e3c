import type { MailParser } from 'mailparser'

/** Parts after so many, or nested deeper, are left out. */
const maxParts = 1000
const maxDepth = 50
/** Skipping parts takes time as well, and memory by the square of their depth. */
const maxSkippedParts = 30_000
const maxDeepParts = 1000
/** Of all texts of a mail together, as they are encoded. */
const maxTextBytes = 4 * 1024 * 1024

/** What the parser splits a mail into: the head of a part, some of its body, or what stands between parts. */
interface Chunk {
  readonly type: 'node' | 'body' | 'data'
  readonly value?: Buffer
  readonly parentNode?: Chunk | false
}
type Done = (error?: Error | null) => void

/** What mailparser's types leave out. Its version is pinned, and tests fail when these change. */
interface Internals {
  readonly curnode: { readonly isAttachment?: boolean }
  readonly libmime: { decodeWords(text: string): string }
  processChunk(chunk: Chunk, done: Done): void
}

export interface BoundedParser extends MailParser {
  /** Texts, or parts, were left out. */
  readonly isTextCut: boolean
  readonly arePartsCut: boolean
  /** Decodes the encoded words of a header (RFC 2047). */
  decodeWords(text: string): string
}

/**
 * A parser of mails whose work is bounded by what it keeps. By itself mailparser needs 900 MB for 25 MB of empty lines, and
 * 1.8 GB for 20,000 nested parts.
 */
export function boundedParser(Parser: typeof MailParser): BoundedParser {
  const Base = Parser as unknown as new (options: object) => MailParser & Internals

  return new (class extends Base {
    isTextCut = false
    #parts = 0
    #textBytes = 0
    #skipsPart = false
    #skippedParts = 0
    #deepParts = 0

    get arePartsCut(): boolean {
      return this.#skippedParts > 0
    }

    override processChunk(chunk: Chunk, done: Done): void {
      if (chunk.type === 'node') {
        this.#parts += 1
        const isTooDeep = isDeep(chunk)
        this.#deepParts += isTooDeep ? 1 : 0
        this.#skipsPart = isTooDeep || this.#parts > maxParts
        this.#skippedParts += this.#skipsPart ? 1 : 0
        if (this.#deepParts > maxDeepParts) return done(new Error('its parts are nested too deeply'))
        if (this.#skippedParts > maxSkippedParts) return done(new Error('it has too many parts'))
        if (this.#skipsPart) return void setImmediate(done)
      }
      if (chunk.type === 'body') {
        if (this.#skipsPart) return void setImmediate(done)
        if (!this.curnode.isAttachment) {
          this.#textBytes += chunk.value?.length ?? 0
          if (this.#textBytes > maxTextBytes) {
            this.isTextCut = true
            return void setImmediate(done)
          }
        }
      }
      super.processChunk(chunk, done)
    }

    decodeWords(text: string): string {
      return this.libmime.decodeWords(text)
    }
  })({
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipImageLinks: true,
    keepDeliveryStatus: true,
    // The parts that are skipped are counted here.
    maxChildNodes: Number.MAX_SAFE_INTEGER,
  }) as unknown as BoundedParser
}

function isDeep(chunk: Chunk): boolean {
  let depth = 0
  for (let parent = chunk.parentNode; parent; parent = parent.parentNode) {
    depth += 1
    if (depth > maxDepth) return true
  }
  return false
}
