/** Bytes that grow at their end. A class: an encoder of postings writes millions of single bytes. */
export class ByteWriter {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(4096)
  length = 0

  /** Makes room for `more` bytes after the end. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.length + more, 2 * this.bytes.length))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
  }

  /** A non-negative integer below 2^31: seven bits a byte, the lowest first. */
  writeNumber(value: number): void {
    this.reserve(5)
    let rest = value
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.bytes[this.length++] = rest
  }

  writeBytes(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start)
    // A loop is faster than `set` with `subarray` for the few bytes of a word.
    if (end - start > 32) this.bytes.set(source.subarray(start, end), this.length)
    else for (let at = start; at < end; at += 1) this.bytes[this.length + at - start] = source[at] as number
    this.length += end - start
  }

  /** Zero bytes to be filled by the caller; answers where they start. */
  leaveRoom(count: number): number {
    this.reserve(count)
    const start = this.length
    this.bytes.fill(0, start, start + count)
    this.length += count
    return start
  }
}

/** Reads numbers of `writeNumber`. */
export class ByteReader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  readNumber(): number {
    let byte = this.bytes[this.at++] as number
    if (byte < 128) return byte
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = this.bytes[this.at++] as number
      value |= (byte & 127) << shift
    }
    return value
  }
}
