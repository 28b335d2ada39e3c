import { attribution, isGatewayLine, isHeaderLine, isOriginalMarker, isRule } from './quote-markers.ts'

/** A text that an answer may repeat: of the mail that it answers, or of one before that. */
export interface KnownText {
  readonly text: string
  /** It is all that the mail says; of one that was made by a template only pieces are known. */
  readonly isWhole: boolean
}

/** What a quote holds: what was written before, that with answers inside, or something that no known mail has. */
type Verdict = 'repeated' | 'answered' | 'foreign'

/** So much of each known text is compared, and so many lines of a quote. */
const maxKnownCharacters = 20_000
const maxQuotedLines = 400
/** A text of fewer words may be repeated by chance. */
const fewWords = 3
/** Lines over which programs wrap what introduces a quote, and lines of repeated headers. */
const maxIntroduction = 8

const textOf = (line: string): string => line.replace(/^\s*(?:>\s?)+/, '')

/** The words of a text, as they are compared: without case, marks, links and what stands between letters. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/<[^<>]{0,300}>|\[[^\][]{0,300}\]|https?:\S+/g, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
const joined = (words: readonly string[]): string => ` ${words.join(' ')} `

/** Compares the lines of a mail with what is known of those that it answers. */
export class RepeatedText {
  readonly isWhole: boolean
  readonly #all: string
  readonly #lines: ReadonlySet<string>

  constructor(known: readonly KnownText[]) {
    this.isWhole = known.length > 0 && known.every((one) => one.isWhole)
    const lines = known.flatMap(({ text }) => text.slice(0, maxKnownCharacters).split('\n').map(textOf).map(wordsOf))
    this.#all = known
      .map(({ text }) => joined(wordsOf(text.slice(0, maxKnownCharacters).replaceAll(/^\s*(?:>\s?)+/gm, ''))))
      .join('\n')
    this.#lines = new Set(lines.filter((words) => words.length > 0).map(joined))
  }

  /** What the quote is that these lines hold. Lines of older quotes inside of it are not judged. */
  judge(quoted: readonly string[]): Verdict {
    const lines = quoted.slice(0, maxQuotedLines).map(textOf)
    const all = joined(lines.flatMap(wordsOf))
    const isOurs = [...this.#lines].some((line) => all.includes(line) && (countOf(line) > 1 || this.#lines.size <= 2))
    const isPart = lines.some(
      (line) => countOf(joined(wordsOf(line))) >= fewWords && this.#all.includes(joined(wordsOf(line))),
    )
    if (!isOurs && !isPart) return 'foreign'
    return this.isWhole && lines.some((_, at) => !this.#isHistory(lines, at)) ? 'answered' : 'repeated'
  }

  /**
   * The line from which on a mail only repeats what is known, in whatever language its program introduces that; undefined
   * when it does not.
   */
  beginsAt(lines: readonly string[]): number | undefined {
    const texts = lines.map(textOf)
    const least = Math.max(0, lines.length - maxQuotedLines)
    let from = lines.length
    while (from > least && this.#isKnown(texts, from - 1)) from -= 1
    while (from < lines.length && wordsOf(lines[from] as string).length === 0) from += 1
    const repeated = joined(lines.slice(from).map(textOf).flatMap(wordsOf))
    if (repeated.trim() === '') return undefined
    const isMarked = /^\s*>/.test(lines[from] as string)
    const introduced = introductionAbove(lines, from)
    if (introduced !== undefined) return introduced
    const isLong =
      countOf(repeated) > fewWords && this.#all.split('\n').some((text) => text.trimEnd() === repeated.trimEnd())
    return isMarked || isLong ? from : undefined
  }

  #isHistory(lines: readonly string[], at: number): boolean {
    const line = lines[at] as string
    return (
      this.#isKnown(lines, at) ||
      isHeaderLine(line) ||
      isOriginalMarker(line) ||
      isRule(line) ||
      isGatewayLine(line) ||
      attribution(line.trim()) !== undefined
    )
  }

  /** A short line may be an answer that has the words of the question: it counts as a line, or where it continues one. */
  #isKnown(lines: readonly string[], at: number): boolean {
    const words = wordsOf(lines[at] as string)
    if (words.length === 0 || this.#lines.has(joined(words))) return true
    if (words.length >= fewWords) return this.#all.includes(joined(words)) || this.#isWrapped(lines, at, words)
    return this.#isWrapped(lines, at, words)
  }

  #isWrapped(lines: readonly string[], at: number, words: readonly string[]): boolean {
    const [before, after] = [wordsOf(lines[at - 1] ?? ''), wordsOf(lines[at + 1] ?? '')]
    const joins = (other: readonly string[], together: readonly string[]): boolean =>
      other.length > 0 && together.length >= fewWords && this.#all.includes(joined(together))
    return joins(before, [...before, ...words]) || joins(after, [...words, ...after])
  }
}

const countOf = (line: string): number => line.trim().split(' ').length

/** Where what introduces a quote begins, above its first line: somebody's address or a date, or headers with their labels. */
function introductionAbove(lines: readonly string[], from: number): number | undefined {
  let end = from
  while (end > 0 && (lines[end - 1] as string).trim() === '') end -= 1
  let begin = end
  while (begin > 0 && end - begin < maxIntroduction && (lines[begin - 1] as string).trim() !== '') begin -= 1
  const above = lines.slice(begin, end)
  const labelled = above.findIndex((_, at) => above.length - at >= 2 && above.slice(at).every(isLabelled))
  if (labelled !== -1) return withoutRuleAbove(lines, begin + labelled)
  for (let at = Math.max(0, above.length - 3); at < above.length; at += 1)
    if (attribution(above.slice(at).join(' ').trim()) !== undefined) return begin + at
  const last = above.at(-1)
  return last !== undefined && (isOriginalMarker(last) || isRule(last)) ? end - 1 : undefined
}

const isLabelled = (line: string): boolean => /^\s*\*?[\p{L}\p{M}][\p{L}\p{M} '’.-]{0,30}\s?[:：]\*?\s*\S/u.test(line)

function withoutRuleAbove(lines: readonly string[], at: number): number {
  let above = at - 1
  while (above > 0 && (lines[above] as string).trim() === '') above -= 1
  return above >= 0 && isRule(lines[above] as string) ? above : at
}

/** Whether a mail has most lines of another, word by word: it quotes it. Greetings and names alone are no sign. */
export function quotesMost(body: string, text: string): boolean {
  const all = joined(
    body
      .slice(0, 10 * maxKnownCharacters)
      .split('\n')
      .map(textOf)
      .flatMap(wordsOf),
  )
  const lines = text.slice(0, maxKnownCharacters).split('\n').map(textOf).map(wordsOf)
  const telling = lines.filter((words) => words.length >= fewWords).map(joined)
  const quoted = telling.filter((line) => all.includes(line))
  return quoted.length > 0 && 2 * quoted.length >= telling.length
}
