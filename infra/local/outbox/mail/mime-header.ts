/** Values of MIME headers: encoded words (RFC 2047) and parameters (RFC 2231). */

/** Decodes the encoded words of a header. What is malformed stays as it is. */
export const decodeWords = (value: string): string =>
  value
    // White space between two encoded words is not part of the text.
    .replace(/(\?=)\s+(?==\?[^?\s]+\?[bq]\?)/gi, '$1')
    .replace(/(?:=\?[^?\s]+\?[bq]\?[^?]*\?=)+/gi, decodeRun)

/** Adjacent words may share a character, so the bytes of one charset are joined first. */
function decodeRun(run: string): string {
  const words = [...run.matchAll(/=\?([^?*\s]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=/gi)].map(
    ([, charset = '', encoding = '', text = '']) => ({
      charset: charset.toLowerCase(),
      bytes:
        encoding.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : unescapeBytes(text.replaceAll('_', ' '), '='),
    }),
  )
  let decoded = ''
  for (let at = 0; at < words.length;) {
    const { charset } = words[at] as (typeof words)[number]
    const next = words.findIndex((word, index) => index > at && word.charset !== charset)
    const end = next === -1 ? words.length : next
    decoded += decode(charset, Buffer.concat(words.slice(at, end).map(({ bytes }) => bytes)))
    at = end
  }
  return decoded
}

/** A header such as `text/plain; charset=utf-8`. Names of parameters are in lower case. */
export function parametersOf(header: string): { value: string; parameters: Readonly<Record<string, string>> } {
  const [value = ''] = header.split(';', 1)
  const found = new Map<string, { text: string; isEncoded: boolean }>()
  for (const [, name = '', quoted, bare] of header
    .slice(value.length)
    .matchAll(/;\s*([^=;\s]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g)) {
    const [, base = '', mark = ''] = /^([^*]+)(\*.*)?$/.exec(name.toLowerCase()) ?? []
    const text = quoted?.replace(/\\(.)/g, '$1') ?? (bare ?? '').trim()
    const before = found.get(base)?.text ?? ''
    // `name*0`, `name*1` continue each other; `name*` and `name*0*` carry their charset.
    found.set(base, { text: before + text, isEncoded: mark.endsWith('*') || (found.get(base)?.isEncoded ?? false) })
  }
  const parameters = [...found].map(([name, { text, isEncoded }]) => [name, isEncoded ? decodeExtended(text) : text])
  return { value: value.trim(), parameters: Object.fromEntries(parameters) as Record<string, string> }
}

/** `utf-8'en'Gr%C3%BC%C3%9Fe` */
function decodeExtended(text: string): string {
  const [, charset = 'utf-8', escaped = text] = /^([^']*)'[^']*'(.*)$/s.exec(text) ?? []
  return decode(charset || 'utf-8', unescapeBytes(escaped, '%'))
}

const unescapeBytes = (text: string, sign: '=' | '%'): Buffer =>
  Buffer.from(
    text.replace(new RegExp(`${sign}([0-9A-Fa-f]{2})`, 'g'), (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  )

function decode(charset: string, bytes: Buffer): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString()
  }
}
