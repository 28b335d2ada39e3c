/** Charsets of seven bits that shift to another one and back. No decoder that we have knows them. */
type ShiftedCharset = 'iso-2022-kr' | 'hz-gb-2312'

const [lineFeed, carriageReturn, shiftOut, shiftIn, escape, tilde] = [0x0a, 0x0d, 0x0e, 0x0f, 0x1b, 0x7e]
const [openBrace, closeBrace, dollar, highBit] = [0x7b, 0x7d, 0x24, 0x80]
const word = /=\?(iso-2022-kr|hz-gb-2312)(?:\*[\w-]{0,20})?\?([bq])\?([^?]{0,1000})\?=/gi

/** The shifted charset of this name; undefined for every other one. */
export function shiftedCharset(name: string): ShiftedCharset | undefined {
  const known = name.trim().toLowerCase()
  if (known === 'iso-2022-kr' || known === 'csiso2022kr') return 'iso-2022-kr'
  return known === 'hz-gb-2312' || known === 'hz' ? 'hz-gb-2312' : undefined
}

/** Decodes a text of a shifted charset: RFC 1557, RFC 1843. */
export const decodeShifted = (charset: ShiftedCharset, bytes: Uint8Array): string =>
  charset === 'iso-2022-kr'
    ? new TextDecoder('euc-kr').decode(unshiftKorean(bytes))
    : new TextDecoder('gbk').decode(unshiftChinese(bytes))

/** Encoded words (RFC 2047) of shifted charsets in UTF-8. A header without any is answered as it is. */
export const withoutShiftedWords = (text: string): string =>
  text.replaceAll(word, (given, name: string, encoding: string, encoded: string) => {
    const charset = shiftedCharset(name)
    if (!charset) return given
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(encoded, 'base64') : quotedBytes(encoded)
    return `=?utf-8?B?${Buffer.from(decodeShifted(charset, bytes)).toString('base64')}?=`
  })

const quotedBytes = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('_', ' ')
      .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** The bytes in EUC-KR. */
function unshiftKorean(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length)
  let length = 0
  let isShifted = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    if (byte === shiftOut || byte === shiftIn) isShifted = byte === shiftOut
    // ESC $ ) C names the set that is shifted to; there is no other.
    else if (byte === escape && bytes[at + 1] === dollar) at += 3
    else plain[length++] = isShifted && byte > 0x20 ? byte | highBit : byte
  }
  return plain.subarray(0, length)
}

/** The bytes in GBK. A line begins unshifted. */
function unshiftChinese(bytes: Uint8Array): Uint8Array {
  const plain = new Uint8Array(bytes.length)
  let length = 0
  let isShifted = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    const next = bytes[at + 1]
    if (byte === lineFeed || byte === carriageReturn) isShifted = false
    if (byte === tilde && (next === openBrace || next === closeBrace)) {
      isShifted = next === openBrace
      at += 1
    } else if (!isShifted && byte === tilde && next === tilde) {
      plain[length++] = byte
      at += 1
    } else if (!isShifted && byte === tilde && (next === lineFeed || next === carriageReturn)) {
      // The line continues.
      at += next === carriageReturn && bytes[at + 2] === lineFeed ? 2 : 1
    } else plain[length++] = isShifted && byte > 0x20 ? byte | highBit : byte
  }
  return plain.subarray(0, length)
}
