import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import { maxRenderedCharacters, maxSubjectCharacters } from '../../kernel/limits/messages.ts'
import { escapeHtml } from '../../kernel/text/escape-html.ts'
import { sayValue, type TimeStyle } from '../../kernel/time/say-time.ts'
import { parseTemplate } from './placeholders.ts'
import { plainText } from './plain-text.ts'
import { type TemplateContent, type TemplateTexts, textsFor } from './translation.ts'

export interface RenderedTemplate {
  /** One line without control characters. */
  readonly subject: string
  readonly html: string
  /** The same as plain text. */
  readonly text: string
  /** The paths that `params` do not have, once each; they are empty in the texts. */
  readonly missing: string[]
}

/**
 * Renders a template in the language of its recipient, with times in their language and in the time zone; `.raw` behind a path has the value as it is. Values are HTML-escaped in the body, for text and for quoted
 * attributes; what they contain is never expanded. Throws Invalid when the body becomes longer than
 * `maxRenderedCharacters`: few placeholders can repeat a long value.
 */
export async function renderTemplate(
  template: TemplateContent,
  params: Readonly<Record<string, unknown>>,
  locale: string | null,
  timeZone = 'UTC',
): Promise<RenderedTemplate> {
  const { subject, body }: TemplateTexts = textsFor(template, locale)
  const missing = new Set<string>()
  const style = { locale, timeZone }
  const [title] = expand(subject, params, { missing, style }, (value) => value, 4 * maxSubjectCharacters)
  const [html, isWhole] = expand(body, params, { missing, style }, escapeHtml, maxRenderedCharacters)
  if (!isWhole) throw new Invalid(tooLong)
  return { subject: oneLine(title), html, text: await plainText(html), missing: [...missing] }
}

/** A plain text with its values, as `renderTemplate` says them, and the paths that `params` do not have. Throws Invalid as it does. */
export function renderText(
  text: string,
  params: Readonly<Record<string, unknown>>,
  style: TimeStyle,
): { readonly text: string; readonly missing: string[] } {
  const missing = new Set<string>()
  const [expanded, isWhole] = expand(text, params, { missing, style }, (value) => value, maxRenderedCharacters)
  if (!isWhole) throw new Invalid(tooLong)
  return { text: expanded, missing: [...missing] }
}

const tooLong: FieldErrors = {
  body: ['With these values the body becomes longer than 1 MB. Shorten the values or use them less often.'],
}

/** The text with its values, and whether it is whole: it ends early once it is longer than `limit`. */
function expand(
  text: string,
  params: Readonly<Record<string, unknown>>,
  reading: Reading,
  encode: (value: string) => string,
  limit: number,
): [expanded: string, isWhole: boolean] {
  const pieces: string[] = []
  let length = 0
  for (const part of parseTemplate(text)) {
    const piece = part.kind === 'placeholder' ? encode(valueAt(params, part.path, reading)) : part.text
    pieces.push(piece)
    length += piece.length
    if (length > limit) return [pieces.join('').slice(0, limit), false]
  }
  return [pieces.join(''), true]
}

/** How values are read: which are missing is noted. */
interface Reading {
  readonly missing: Set<string>
  readonly style: TimeStyle
}

/** The text of a value. Only own properties count: `constructor` names nothing. */
function valueAt(params: unknown, path: readonly string[], { missing, style }: Reading): string {
  let value = params
  for (const [at, step] of path.entries()) {
    if (isRaw(path, at) && typeof value === 'string') return value
    const holder: unknown = value
    value =
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
        ? (holder as Record<string, unknown>)[step]
        : undefined
  }
  if (value === undefined) missing.add(path.join('.'))
  return typeof value === 'string' ? sayValue(value, style) : textOf(value)
}

/** Whether a step is the last one of `{{record.created_at.raw}}`. */
const isRaw = (path: readonly string[], at: number): boolean => at > 0 && at === path.length - 1 && path[at] === 'raw'

/**
 * A list of plain values reads as people write lists (`red, green`). An object is JSON: a path that ends too early shows
 * its author which names go on, where `[object Object]` would tell a reader and the author nothing.
 */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null))
    return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Line ends and tabs become a space, so that words stay apart; other control characters are removed. */
const oneLine = (text: string): string =>
  text
    .replace(/[\t-\r\u0085\u2028\u2029]+/g, ' ')
    .replace(/\p{Cc}+/gu, '')
    .trim()
    .slice(0, maxSubjectCharacters)
    .toWellFormed()
