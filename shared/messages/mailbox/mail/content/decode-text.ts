import { isAscii, isUtf8 } from 'node:buffer'
import { PassThrough, Transform } from 'node:stream'
import { decodeShifted, shiftedCharset } from './shifted-charsets.ts'

type DecodeStream = (charset: string) => NodeJS.ReadWriteStream

const ascii = /^(?:us-?)?ascii$|^7-?bit$/i
const utf8 = /^utf-?8$/i
const windows1252 = new TextDecoder('windows-1252')

/**
 * Decodes the texts of a mail to UTF-8: by `known` what its decoder knows, and charsets that it does not. What names none is
 * UTF-8, else what Windows wrote. `note` gets why a text may be wrong.
 */
export function textDecoder(known: DecodeStream, note: (problem: string) => void): DecodeStream {
  return (charset) => {
    if (utf8.test(charset)) return new PassThrough()
    if (charset === '' || ascii.test(charset)) return collect(guess)
    const shifted = shiftedCharset(charset)
    if (shifted) return collect((bytes) => decodeShifted(shifted, bytes))
    try {
      return known(charset)
    } catch {
      return collect((bytes) => {
        if (!isAscii(bytes)) note('a text is in a charset that is not known')
        return guess(bytes)
      })
    }
  }
}

const guess = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString() : windows1252.decode(bytes))

/** Texts of a mail are bounded, so they are decoded as a whole. */
function collect(decode: (bytes: Buffer) => string): Transform {
  const chunks: Buffer[] = []
  return new Transform({
    transform(chunk: Buffer, _, done) {
      chunks.push(chunk)
      done()
    },
    flush(done) {
      done(null, Buffer.from(decode(Buffer.concat(chunks))))
    },
  })
}
