import {
  attribution,
  endOfHeaders,
  isForwardMarker,
  isForwardSubject,
  isGatewayLine,
  isOpening,
  isOriginalMarker,
  isRule,
} from './quote-markers.ts'
import { type KnownText, RepeatedText } from './repeated-text.ts'

const isQuoted = (line: string): boolean => /^\s*>/.test(line)
const isBlank = (line: string): boolean => line.trim() === ''
/** Lines over which programs wrap what introduces a quote. */
const maxWrapped = 3

/**
 * What an answer says without the history that its program appended: everything before the quoted mail. What stands between
 * quotes or below them is kept with them, because it answers them; so is what somebody forwards, and a text that would be
 * left without a word. `known`: what the answered mails say, where that is known: only what they say is history then, in
 * whatever language it is introduced, and what stands between it answers it. `writers`: who wrote them. A mail that answers none
 * (`isAnswer`) has no history but what it introduces as such.
 */
export function newText(
  body: string,
  subject: string | null,
  {
    known = [],
    writers = [],
    isAnswer = true,
  }: {
    readonly known?: readonly KnownText[]
    readonly writers?: readonly string[]
    readonly isAnswer?: boolean
  } = {},
): string {
  if (subject !== null && isForwardSubject(subject)) return body
  const lines = body.split('\n')
  const written = lines.slice(0, footerAt(lines))
  const cut = known.length === 0 ? historyAt(written) : knownHistoryAt(written, new RepeatedText(known), writers)
  if (cut === undefined || (!isAnswer && isQuoted(lines[cut] as string))) return body
  const kept = lines.slice(0, cut).join('\n').trimEnd()
  return isBlank(kept) ? body : kept
}

/** So long is what scanners, lists and signatures put below a mail. */
const maxFooterLines = 15

/** Where a footer of a scanner, a list or a signature begins. */
function footerAt(lines: readonly string[]): number {
  const end = lengthWithoutBlanks(lines)
  for (let at = Math.max(1, end - maxFooterLines); at < end; at += 1) {
    const line = lines[at] as string
    if (/^--\s?$/.test(line) || (isRule(line) && lines.slice(at, end).some(isGatewayLine))) return at
    if (isGatewayLine(line) && isBlank(lines[at - 1] as string)) return at
  }
  return lines.length
}

/** The same where it is known what the answered mails say. */
function knownHistoryAt(
  lines: readonly string[],
  repeated: RepeatedText,
  writers: readonly string[],
): number | undefined {
  const quotedFrom = historyAt(lines)
  if (quotedFrom === undefined) return repeated.beginsAt(lines)
  const verdict = repeated.judge(firstQuote(lines, quotedFrom))
  if (verdict === 'answered') return undefined
  if (verdict === 'repeated') return quotedFrom
  const head = lines.slice(quotedFrom, quotedFrom + maxWrapped)
  // Headers are copied, and words of others named; only what says who wrote to them, and when, begins a quote by itself.
  const isSaid = isOriginalMarker(head[0] as string) || head.some((_, at) => isStrong(head.slice(0, at + 1)))
  const isOfThem =
    !isQuoted(head[0] as string) &&
    (!repeated.isWhole || writers.some((writer) => head.join(' ').toLowerCase().includes(writer)))
  return isSaid || isOfThem ? quotedFrom : repeated.beginsAt(lines)
}

const isStrong = (lines: readonly string[]): boolean => attribution(lines.join(' ').trim()) === 'strong'

/** The lines of a quote before the older ones that it quotes itself. */
function firstQuote(lines: readonly string[], from: number): readonly string[] {
  const marks = (line: string): number => (/^\s*((?:>\s?)*)/.exec(line)?.[1] ?? '').replaceAll(/[^>]/g, '').length
  const end = lengthWithoutBlanks(lines)
  const first = nextText(lines, from)
  let begin = first
  // Past what introduces it.
  while (begin < end && begin < first + 12 && !isBlank(lines[begin] as string) && !isQuoted(lines[begin] as string))
    begin += 1
  const level = marks(lines[nextText(lines, begin)] ?? '')
  for (let at = Math.max(begin, from + 1); at < end; at += 1) {
    const isDeeper = marks(lines[at] as string) > level && at > begin
    const isOlder =
      level === 0 && (isOriginalMarker(lines[at] as string) || endOfHeaders(lines, at, false) !== undefined)
    if (isDeeper || isOlder) return lines.slice(from, at)
  }
  return lines.slice(from, end)
}

/** The line with which the history begins; undefined when there is none. */
function historyAt(lines: readonly string[]): number | undefined {
  const quotedTo = lengthWithoutBlanks(lines)
  let quotedFrom = quotedTo
  while (quotedFrom > 0 && (isQuoted(lines[quotedFrom - 1] as string) || isBlank(lines[quotedFrom - 1] as string)))
    quotedFrom -= 1
  const hasMarksAtEnd = lines.slice(quotedFrom, quotedTo).some(isQuoted)
  for (let at = 0; at < quotedFrom; at += 1) {
    if (isForwardMarker(lines[at] as string)) return undefined
    const begins = beginsAt(lines, at, quotedFrom)
    if (begins !== undefined) return begins
  }
  return hasMarksAtEnd ? quotedFrom : undefined
}

function lengthWithoutBlanks(lines: readonly string[]): number {
  let length = lines.length
  while (length > 0 && isBlank(lines[length - 1] as string)) length -= 1
  return length
}

/** Where the history begins that a line introduces; undefined when it introduces none, or answers follow in between. */
function beginsAt(lines: readonly string[], at: number, quotedFrom: number): number | undefined {
  const line = lines[at] as string
  if (isOriginalMarker(line)) {
    const first = nextText(lines, at + 1)
    return isWhole(lines, endOfHeaders(lines, first, true) ?? first, quotedFrom) ? at : undefined
  }
  const headersEnd = endOfHeaders(lines, at, false)
  if (headersEnd !== undefined) return isWhole(lines, headersEnd, quotedFrom) ? withoutRule(lines, at) : undefined
  const introduced = introductionAt(lines, at)
  if (!introduced) return undefined
  const first = nextText(lines, at + 1)
  const mayBegin = introduced.kind === 'strong' || isQuoted(lines[first] ?? '')
  return mayBegin && isWhole(lines, first, quotedFrom) ? introduced.from : undefined
}

/**
 * Whether everything from a line on is history: it has no marks, or nothing but marked lines. Where marks begin and end,
 * somebody answered in between.
 */
function isWhole(lines: readonly string[], from: number, quotedFrom: number): boolean {
  const first = nextText(lines, from)
  return first >= lines.length || !isQuoted(lines[first] as string) || first >= quotedFrom
}

function nextText(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && isBlank(lines[at] as string)) at += 1
  return at
}

/** A line of dashes or underscores above repeated headers belongs to them. */
function withoutRule(lines: readonly string[], at: number): number {
  let above = at - 1
  while (above > 0 && isBlank(lines[above] as string)) above -= 1
  return above >= 0 && isRule(lines[above] as string) ? above : at
}

/** What introduces a quote and ends with a line, and the line with which it begins. */
function introductionAt(
  lines: readonly string[],
  at: number,
): { readonly kind: 'strong' | 'weak'; readonly from: number } | undefined {
  if (!/[:：]\s*$/.test(lines[at] as string)) return undefined
  let weak: number | undefined
  for (let from = at; from >= 0 && from > at - maxWrapped && !isBlank(lines[from] as string); from -= 1) {
    const kind = attribution(
      lines
        .slice(from, at + 1)
        .join(' ')
        .trim(),
    )
    if (kind === 'strong') return { kind, from: widest(lines, from, at) }
    if (kind === 'weak') weak ??= from
  }
  return weak === undefined ? undefined : { kind: 'weak', from: weak }
}

/** The first of the lines above that belong to the same introduction, which began there with a date. */
function widest(lines: readonly string[], from: number, at: number): number {
  for (let above = Math.max(0, at - maxWrapped + 1); above < from; above += 1) {
    const text = lines.slice(above, at + 1)
    if (isOpening(text[0] as string) && !text.some(isBlank) && attribution(text.join(' ').trim()) === 'strong')
      return above
  }
  return from
}
