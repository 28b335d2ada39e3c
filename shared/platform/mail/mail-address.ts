import { maxAddressCharacters, maxLocalPartCharacters } from '../../kernel/limits/accounts.ts'

/** RFC 5321 §4.5.3.1: the longest address and the longest part before the @. */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const domain = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/**
 * Whether a text is one plain address and nothing else. Stricter than RFC 5322: no quotes, comments, lists, control
 * characters or letters outside ASCII, so that no address can smuggle a second one, or a header, into a mail.
 */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  return (
    at > 0 &&
    text.length <= maxAddressCharacters &&
    local.length <= maxLocalPartCharacters &&
    localPart.test(local) &&
    domain.test(text.slice(at + 1))
  )
}

/** A text on one line, without control characters: fit for a header, a log or an error. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
