import {
  attribution,
  endOfHeaders,
  isForwardMarker,
  isForwardSubject,
  isOpening,
  isOriginalMarker,
  isRule,
} from './quote-markers.ts'

const isQuoted = (line: string): boolean => /^\s*>/.test(line)
const isBlank = (line: string): boolean => line.trim() === ''
/** Lines over which programs wrap what introduces a quote. */
const maxWrapped = 3

/**
 * What an answer says without the history that its program appended: everything before the quoted mail. What stands between
 * quotes or below them is kept with them, because it answers them; so is what somebody forwards, and a text that would be
 * left without a word.
 */
export function newText(body: string, subject: string | null): string {
  if (subject !== null && isForwardSubject(subject)) return body
  const lines = body.split('\n')
  const cut = historyAt(lines)
  if (cut === undefined) return body
  const kept = lines.slice(0, cut).join('\n').trimEnd()
  return isBlank(kept) ? body : kept
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
