import { Transform } from 'node:stream'

const begin = /^begin [0-7]{3,4} ./
const end = /^end\s*$/
/** A line encodes 45 bytes; one that is much longer is another text. */
const maxLineBytes = 512

/** Whether a `Content-Transfer-Encoding` is uuencode, which no RFC names. */
export const isUuencoded = (encoding: string): boolean => /^(?:x-)?uu(?:encode|e)?$/.test(encoding)

/**
 * Decodes uuencoded content (POSIX). Text without a line `begin` stays as it is; `note` gets what is left out around or
 * inside of what is encoded.
 */
export function uuDecoder(note: (problem: string) => void): Transform {
  let state: 'before' | 'inside' | 'after' = 'before'
  let rest: Buffer = Buffer.alloc(0)
  const before: Buffer[] = []
  let isOther = false

  function read(line: Buffer): Buffer | undefined {
    const text = line.toString('latin1', 0, maxLineBytes).trimEnd()
    if (state === 'inside') {
      if (end.test(text)) state = 'after'
      else return decodeLine(text) ?? other()
    } else if (state === 'before' && begin.test(text)) state = 'inside'
    else if (state === 'before') before.push(line)
    else if (text !== '') other()
    return undefined
  }
  function other(): undefined {
    isOther = true
  }

  return new Transform({
    transform(chunk: Buffer, _, done) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const decoded: Buffer[] = []
      let at = 0
      for (let to = bytes.indexOf('\n'); to !== -1; to = bytes.indexOf('\n', at)) {
        const piece = read(bytes.subarray(at, to + 1))
        if (piece) decoded.push(piece)
        at = to + 1
      }
      rest = bytes.subarray(at)
      // Not kept to be joined with each chunk that follows.
      if (rest.length > maxLineBytes) {
        if (state === 'before') before.push(rest)
        else other()
        rest = Buffer.alloc(0)
      }
      done(null, Buffer.concat(decoded))
    },
    flush(done) {
      const last = rest.length === 0 ? undefined : read(rest)
      const said = Buffer.concat(before)
      if (state === 'before') note('a part says that it is uuencoded, and is not')
      else if (isOther || said.toString('latin1').trim() !== '') note('a part has more than what is uuencoded in it')
      done(null, state === 'before' ? said : last)
    },
  })
}

/** Undefined for a line that is no uuencode: its length and as many characters as that needs. */
function decodeLine(line: string): Buffer | undefined {
  if (line === '' || line === '`') return Buffer.alloc(0)
  const length = valueOf(line, 0)
  // Trailing spaces, which stand for zeros, are cut on the way.
  const isOther = line.length > 2 + Math.ceil(length / 3) * 4 || !/^[ -`]+$/.test(line)
  if (isOther) return undefined
  const bytes = Buffer.alloc(length)
  for (let at = 0, from = 1; at < length; at += 3, from += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map((n) => valueOf(line, from + n)) as [number, number, number, number]
    const three = [(a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d]
    for (let n = 0; n < 3 && at + n < length; n += 1) bytes[at + n] = three[n] as number
  }
  return bytes
}

const valueOf = (line: string, at: number): number => ((line.charCodeAt(at) || 0x20) - 0x20) & 0x3f
