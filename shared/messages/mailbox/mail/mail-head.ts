import { isUtf8 } from 'node:buffer'

/** A header of a mail: its name in lower case, and its value on one line, not decoded. */
interface HeaderLine {
  readonly name: string
  readonly value: string
}

export interface MailHead {
  readonly lines: readonly HeaderLine[]
  /** Where the body begins, in bytes. */
  readonly bodyAt: number
  /** Not all headers were read. */
  readonly isCut: boolean
  /** Lines among the headers that are no headers. */
  readonly hasOtherLines: boolean
}

const maxHeadBytes = 1024 * 1024
const maxLines = 2000
const maxValueCharacters = 64 * 1024
const lineFeed = 0x0a
const carriageReturn = 0x0d
const windows1252 = new TextDecoder('windows-1252')

/** The headers of a mail as they are. Reads at most 1 MB and 2,000 headers, and 64 K characters of each. */
export function readHead(raw: Buffer): MailHead {
  const bodyAt = endOfHead(raw)
  const bytes = raw.subarray(0, Math.min(bodyAt, maxHeadBytes))
  const lines: HeaderLine[] = []
  let isCut = bodyAt > maxHeadBytes
  let hasOtherLines = false
  for (const line of logicalLines(bytes)) {
    if (lines.length === maxLines) {
      isCut = true
      break
    }
    const header = parseLine(line)
    if (!header) {
      hasOtherLines ||= !isIgnored(line)
      continue
    }
    lines.push(header)
    isCut ||= header.value.length === maxValueCharacters
  }
  return { lines, bodyAt, isCut, hasOtherLines }
}

/** The first value of a header. A mail may not have two of those that count, and readers show the first. */
export const firstValue = ({ lines }: Pick<MailHead, 'lines'>, name: string): string | undefined =>
  lines.find((line) => line.name === name)?.value

/** The values of a header, in the order of the mail. */
export const allValues = ({ lines }: Pick<MailHead, 'lines'>, name: string): string[] =>
  lines.flatMap((line) => (line.name === name ? [line.value] : []))

/** After the first empty line; the end of the mail when there is none. */
function endOfHead(raw: Buffer): number {
  if (raw[0] === lineFeed) return 1
  if (raw[0] === carriageReturn && raw[1] === lineFeed) return 2
  const lf = raw.indexOf('\n\n')
  // Only before the other one is found: a body may be long.
  const crlf = (lf === -1 ? raw : raw.subarray(0, lf + 2)).indexOf('\n\r\n')
  if (crlf !== -1) return crlf + 3
  return lf === -1 ? raw.length : lf + 2
}

/** The lines of a head, each with those that continue it. */
function* logicalLines(bytes: Buffer): Generator<Buffer> {
  let start = 0
  while (start < bytes.length) {
    let end = bytes.indexOf(lineFeed, start)
    while (end !== -1 && isFolding(bytes[end + 1])) end = bytes.indexOf(lineFeed, end + 1)
    if (end === -1) end = bytes.length
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

const isFolding = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09

/** The first line of a mail in an mbox, and what has nothing but white space. */
const isIgnored = (line: Buffer): boolean => /^(?:>?From |\s*$)/.test(line.toString('latin1'))

/** Undefined for what is no header. */
function parseLine(line: Buffer): HeaderLine | undefined {
  const colon = line.indexOf(':')
  if (colon < 1 || colon > 100) return undefined
  const name = line.toString('latin1', 0, colon).trimEnd().toLowerCase()
  if (!/^[!-9;-~]+$/.test(name)) return undefined
  const value = decodeBytes(line.subarray(colon + 1, colon + 1 + 4 * maxValueCharacters))
    .replaceAll(/\r?\n(?=[ \t])/g, '')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxValueCharacters)
    .toWellFormed()
  return { name, value }
}

/** Headers have only ASCII; what is not is UTF-8 (RFC 6532), else what Windows wrote. */
const decodeBytes = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString() : windows1252.decode(bytes))
