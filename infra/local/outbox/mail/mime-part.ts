/** A part of a MIME message (RFC 2045 and 2046), read as far as a person needs it to see the message. */
import { decodeWords, parametersOf } from './mime-header.ts'

export interface MimePart {
  /** By name in lower case; the last one of a name. */
  readonly headers: ReadonlyMap<string, string>
  /** e.g. `text/plain` */
  readonly type: string
  readonly fileName: string | undefined
  readonly isAttachment: boolean
  /** Decoded. */
  readonly content: Buffer
  readonly charset: string
  /** Of a multipart, in their order. */
  readonly parts: readonly MimePart[]
}

/** No honest mail nests deeper. */
const maxDepth = 20

/** Reads a message. Never throws: what is malformed is read as plain text. */
export function readPart(bytes: Buffer, depth = 0): MimePart {
  // Latin-1 keeps every byte as one character.
  const source = bytes.toString('latin1')
  const end = /\r?\n\r?\n/.exec(source)
  const head = source.slice(0, end?.index ?? source.length)
  const body = end ? source.slice(end.index + end[0].length) : ''
  const headers = readHeaders(head)
  const { value, parameters } = parametersOf(headers.get('content-type') ?? 'text/plain')
  const type = value.toLowerCase()
  const disposition = parametersOf(headers.get('content-disposition') ?? '')
  const { boundary } = parameters
  const isMultipart = type.startsWith('multipart/') && boundary !== undefined && depth < maxDepth
  const fileName = disposition.parameters['filename'] ?? parameters['name']
  return {
    headers,
    type,
    fileName,
    isAttachment: disposition.value.toLowerCase() === 'attachment' || (fileName !== undefined && !isMultipart),
    content: decodeBody(body, headers.get('content-transfer-encoding') ?? '7bit'),
    charset: parameters['charset'] ?? 'utf-8',
    parts: isMultipart
      ? splitParts(body, boundary).map((part) => readPart(Buffer.from(part, 'latin1'), depth + 1))
      : [],
  }
}

/** The text of a part in its own charset; an unknown charset is read as UTF-8. */
export function textOf({ content, charset }: MimePart): string {
  try {
    return new TextDecoder(charset).decode(content)
  } catch {
    return content.toString()
  }
}

function readHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of head.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon < 1) continue
    // Headers may be UTF-8 (RFC 6532).
    const value = Buffer.from(line.slice(colon + 1).trim(), 'latin1').toString()
    headers.set(line.slice(0, colon).trim().toLowerCase(), decodeWords(value))
  }
  return headers
}

function splitParts(body: string, boundary: string): string[] {
  const parts: string[] = []
  let part: string[] | undefined
  for (const line of body.split('\n')) {
    const text = line.trimEnd()
    if (text === `--${boundary}` || text === `--${boundary}--`) {
      // The line break before a boundary belongs to the boundary.
      if (part) parts.push(part.join('\n').replace(/\r?$/, ''))
      part = text.endsWith('--') && text !== `--${boundary}` ? undefined : []
    } else part?.push(line)
  }
  if (part && part.length > 0) parts.push(part.join('\n'))
  return parts
}

function decodeBody(body: string, encoding: string): Buffer {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64')
    case 'quoted-printable':
      return Buffer.from(
        body
          .replace(/[ \t]+(?=\r?\n)/g, '')
          .replace(/=\r?\n/g, '')
          .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      )
    default:
      return Buffer.from(body, 'latin1')
  }
}
