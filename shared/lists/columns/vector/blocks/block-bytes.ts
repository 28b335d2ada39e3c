/** The first byte of a block: its form, and whether the rest is deflated. */
export const blockForm = { numbers: 0, codes: 1, texts: 2 } as const
export const deflatedBit = 0x80

export const numberKinds = ['number', 'time', 'date'] as const
/** Instead of the decimal places of numbers: they are stored as doubles. */
export const asDoubles = 255

export const textEncodings = ['latin1', 'utf8', 'utf16le'] as const

/** Appends numbers and bytes to one array. */
export class BlockWriter {
  #parts: Uint8Array[] = []

  byte(value: number): void {
    this.#parts.push(Uint8Array.of(value))
  }
  count(value: number): void {
    const part = Buffer.alloc(4)
    part.writeUInt32LE(value)
    this.#parts.push(part)
  }
  double(value: number): void {
    const part = Buffer.alloc(8)
    part.writeDoubleLE(value)
    this.#parts.push(part)
  }
  /** With their length before them. */
  bytes(value: Uint8Array): void {
    this.count(value.length)
    this.#parts.push(value)
  }
  done(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

/** Reads what a `BlockWriter` wrote, in the same order. */
export class BlockReader {
  #bytes: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#skip(1))
  }
  count(): number {
    return this.#bytes.readUInt32LE(this.#skip(4))
  }
  double(): number {
    return this.#bytes.readDoubleLE(this.#skip(8))
  }
  bytes(): Buffer {
    const length = this.count()
    const start = this.#skip(length)
    return this.#bytes.subarray(start, start + length)
  }

  #skip(length: number): number {
    const start = this.#at
    this.#at += length
    return start
  }
}
