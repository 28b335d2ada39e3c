import type { Transform } from 'node:stream'
import type { MailParser } from 'mailparser'
import { acceptDelimiters, type Splitter } from '../content/boundaries.ts'
import { textDecoder } from '../content/decode-text.ts'
import { LostContent, type MailChunk } from '../content/lost-content.ts'
import { withoutShiftedWords } from '../content/shifted-charsets.ts'
import { isUuencoded, uuDecoder } from '../content/uu-decoder.ts'
import { type ParsedNode, type Written, writtenIn } from './written-parts.ts'

/** Parts after so many, or nested deeper, are left out. */
const maxParts = 1000
const maxDepth = 50
/** Skipping parts takes time as well, and memory by the square of their depth. */
const maxSkippedParts = 30_000
const maxDeepParts = 1000
/** Of all texts of a mail together, as they are encoded. */
const maxTextBytes = 4 * 1024 * 1024

/** What the parser splits a mail into: the head of a part, some of its body, or what stands between parts. */
type Chunk = MailChunk & Partial<SplitNode>
type Done = (error?: Error | null) => void

/** What mailparser's types leave out. Its version is pinned, and tests fail when these change. */
interface Internals {
  readonly curnode: { readonly isAttachment?: boolean }
  readonly libmime: { decodeWords(text: string): string }
  readonly splitter: Splitter<SplitNode>
  decoder: { decodeStream(charset: string): NodeJS.ReadWriteStream }
  readonly tree: ParsedNode
  processChunk(chunk: Chunk, done: Done): void
  getTextContent(): object
}

/** The head of a part, as the splitter makes it and the parser reads it. */
interface SplitNode {
  readonly _boundary: Buffer | false
  readonly _parentBoundary: Buffer | false
  readonly _parentBoundaryOwner: SplitNode | false
  readonly _headersLines: readonly Buffer[]
  /** False until the head has ended. */
  readonly headers: object | false
  charset: string | false
  addHeaderChunk(line: Buffer | false): void
  getDecoder(): Transform
}

export interface BoundedParser extends MailParser {
  /** Texts, or parts, were left out. */
  readonly isTextCut: boolean
  readonly arePartsCut: boolean
  /** What is in the mail and was not read. */
  readonly lost: LostContent
  /** What it says to its reader, part by part; empty until all of it was read. */
  readonly written: readonly Written[]
  /** Decodes the encoded words of a header (RFC 2047). */
  decodeWords(text: string): string
}

/** Names the charset of a text to our decoder, also when it is one that mailparser would not decode. */
const charsetMark = 'charset '

/**
 * A parser of mails whose work is bounded by what it keeps, and which notices what it leaves out. By itself mailparser needs
 * 900 MB for 25 MB of empty lines, and 1.8 GB for 20,000 nested parts.
 */
export function boundedParser(Parser: typeof MailParser): BoundedParser {
  const Base = Parser as unknown as new (options: object) => MailParser & Internals

  return new (class extends Base {
    isTextCut = false
    readonly lost = new LostContent()
    written: readonly Written[] = []
    #parts = 0
    #textBytes = 0
    #skipsPart = false
    #skippedParts = 0
    #deepParts = 0

    constructor(options: object) {
      super(options)
      const { splitter, decoder, lost } = this
      const note = (problem: string): void => lost.note(problem)
      const leave = (node: SplitNode): void => {
        if (!node.headers) lost.seeHead(node)
      }
      acceptDelimiters(splitter, leave)
      readShiftedWords(splitter, leave)
      const decodeStream = textDecoder((charset) => decoder.decodeStream(charset), note)
      this.decoder = { decodeStream: (charset) => decodeStream(charset.replace(charsetMark, '')) }
    }

    get arePartsCut(): boolean {
      return this.#skippedParts > 0
    }

    override processChunk(chunk: Chunk, done: Done): void {
      this.lost.see(chunk)
      if (chunk.type === 'node') {
        this.#parts += 1
        const isTooDeep = isDeep(chunk)
        this.#deepParts += isTooDeep ? 1 : 0
        this.#skipsPart = isTooDeep || this.#parts > maxParts
        this.#skippedParts += this.#skipsPart ? 1 : 0
        if (this.#deepParts > maxDeepParts) return done(new Error('its parts are nested too deeply'))
        if (this.#skippedParts > maxSkippedParts) return done(new Error('it has too many parts'))
        if (this.#skipsPart) return void setImmediate(done)
        chunk.charset = `${charsetMark}${chunk.charset || ''}`
        if (isUuencoded(chunk.encoding || '')) chunk.getDecoder = () => uuDecoder((problem) => this.lost.note(problem))
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

    override getTextContent(): object {
      this.written = writtenIn(this.tree)
      return super.getTextContent()
    }

    decodeWords(text: string): string {
      return this.libmime.decodeWords(withoutShiftedWords(text))
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

/** Has the head of each part read without words of charsets that the parser does not know. `leave`: a part ends in its head. */
function readShiftedWords(splitter: Splitter<SplitNode>, leave: (node: SplitNode) => void): void {
  const rewrite = (node: SplitNode): void => {
    const add = node.addHeaderChunk.bind(node)
    node.addHeaderChunk = (line) => add(line && rewriteLine(line))
  }
  const newNode = splitter.newNode.bind(splitter)
  splitter.newNode = (parent) => {
    leave(splitter.node)
    newNode(parent)
    rewrite(splitter.node)
  }
  rewrite(splitter.node)
}

const rewriteLine = (line: Buffer): Buffer =>
  line.includes('=?') ? Buffer.from(withoutShiftedWords(line.toString('latin1')), 'latin1') : line

function isDeep(chunk: Chunk): boolean {
  let depth = 0
  for (let parent = chunk.parentNode; parent; parent = parent.parentNode) {
    depth += 1
    if (depth > maxDepth) return true
  }
  return false
}
