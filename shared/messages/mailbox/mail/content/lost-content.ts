/** A node of a mail, or some of its content: what the splitter makes of it. */
export interface MailChunk {
  readonly type: 'node' | 'body' | 'data'
  readonly value?: Buffer
  /** Of content: where it is. */
  readonly node?: MailChunk
  readonly parentNode?: MailChunk | false
  readonly multipart?: string | false
  readonly encoding?: string | false
  /** Lines of its head. */
  readonly _headersLines?: readonly Buffer[]
}

/** A header, a line that continues one, an empty line, or the first line of an mbox. */
const headerLine = /^(?:[!-9;-~]{1,100}[ \t]*:|[ \t\r\n]|>?From |$)/
const [tab, lineFeed, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20]
/** Of base64: strays that may stand beside so many characters of it. */
const fewStrays = 2
const strayShare = 0.05

/**
 * Notices what a mail has and its parser leaves out: multiparts without parts, lines in the head of a part that are no
 * headers, and invalid base64.
 */
export class LostContent {
  readonly #problems = new Set<string>()
  /** Multiparts that have no part so far, and whether there is anything in them. */
  readonly #withoutParts = new Map<MailChunk, boolean>()
  #base64: Base64Count | undefined
  #hasContent = false

  /** Whether anything but white space stands where a mail has its content. */
  get hasContent(): boolean {
    return this.#hasContent
  }

  note(problem: string): void {
    this.#problems.add(problem)
  }

  /** Sees a chunk before it is parsed. */
  see(chunk: MailChunk): void {
    if (chunk.type === 'node') return this.#seeNode(chunk)
    const { node, value } = chunk
    if (!value || isBlank(value)) return
    if (chunk.type === 'body') {
      this.#hasContent = true
      this.#base64?.count(value)
    } else if (node && this.#withoutParts.get(node) === false) {
      this.#withoutParts.set(node, true)
      this.#hasContent = true
    }
  }

  /** Sees the head of a part that ends without an empty line. */
  seeHead({ _headersLines: lines = [] }: Pick<MailChunk, '_headersLines'>): void {
    if (lines.some((line) => !headerLine.test(line.toString('latin1', 0, 200)))) {
      this.#hasContent = true
      this.note('a part has lines in its head that are no headers')
    }
  }

  /** Why something of the mail was left out. */
  problems(): string[] {
    this.#endBase64()
    if ([...this.#withoutParts.values()].includes(true))
      this.note('a multipart has no parts, because its boundary is missing or does not occur')
    return [...this.#problems]
  }

  #seeNode(node: MailChunk): void {
    this.#endBase64()
    if (node.parentNode) {
      this.#withoutParts.delete(node.parentNode)
      this.seeHead(node)
    }
    if (node.multipart) this.#withoutParts.set(node, false)
    this.#base64 = node.encoding === 'base64' ? new Base64Count() : undefined
  }

  #endBase64(): void {
    if (this.#base64?.isOther) this.note('a part says that it is base64, and is not')
    this.#base64 = undefined
  }
}

const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === space || byte === lineFeed || byte === carriageReturn || byte === tab)

/** 1: of the alphabet (RFC 4648, both of them) or padding, 2: white space, 3: outside ASCII; 0: anything else. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte > 0x7f) return 3
  if (byte === space || byte === tab || byte === lineFeed || byte === carriageReturn) return 2
  return /[A-Za-z0-9+/=_-]/.test(String.fromCharCode(byte)) ? 1 : 0
})

/**
 * Counts what is no base64. Decoders skip stray characters (RFC 2045 §6.8); words between which there are spaces, letters
 * outside ASCII, or many strays are another text, such as the footer of a list.
 */
class Base64Count {
  #strays = 0
  #letters = 0
  #hasWords = false
  /** Something that is no blank is before this in the line. */
  #isAfterWord = false

  count(bytes: Buffer): void {
    let isBetween = false
    for (const byte of bytes) {
      const kind = kinds[byte]
      if (kind === 2) {
        isBetween = byte === space && this.#isAfterWord
        if (byte !== space) this.#isAfterWord = false
        continue
      }
      if (kind === 3 || isBetween) this.#hasWords = true
      if (kind === 1) this.#letters += 1
      else this.#strays += 1
      this.#isAfterWord = true
      isBetween = false
    }
  }

  get isOther(): boolean {
    return this.#hasWords || (this.#strays > fewStrays && this.#strays > strayShare * this.#letters)
  }
}
