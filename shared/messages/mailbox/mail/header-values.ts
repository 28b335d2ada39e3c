import { maxMailHeaders } from '../../../kernel/limits/incoming.ts'
import { cleanLine } from './clean-text.ts'
import type { MailHead } from './mail-head.ts'

const maxValues = 50
const maxValueCharacters = 2000
const maxTotalCharacters = 64 * 1024
/** What is decoded of a value. */
const maxEncodedCharacters = 8 * 1024
/** Names that would mean something else in an object of JavaScript. */
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The headers of a mail by their names in lower case, decoded: a text, or a list where a header is given several times. At
 * most 200 names and 64 K characters.
 */
export function headerValues(
  { lines }: MailHead,
  decodeWords: (text: string) => string,
): { readonly headers: Record<string, string | string[]>; readonly isCut: boolean } {
  const byName = new Map<string, string[]>()
  let total = 0
  let isCut = false
  for (const { name, value } of lines) {
    const values = byName.get(name) ?? []
    const isFull = byName.size >= maxMailHeaders && values.length === 0
    const isSafe = !unsafeNames.has(name)
    if (isFull || !isSafe || values.length >= maxValues || total >= maxTotalCharacters) {
      isCut ||= isSafe
      continue
    }
    const decoded = cleanLine(decodeWords(value.slice(0, maxEncodedCharacters)), maxValueCharacters)
    isCut ||= value.length > maxEncodedCharacters || decoded.length === maxValueCharacters
    total += name.length + decoded.length
    byName.set(name, [...values, decoded])
  }
  const headers = [...byName].map(([name, values]) => [name, values.length === 1 ? (values[0] as string) : values])
  return { headers: Object.fromEntries(headers), isCut }
}
