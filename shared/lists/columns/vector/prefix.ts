import { rankOfUnit } from '../scalar.ts'

/** For so many beginnings of texts a vector keeps the prefixes of what follows. */
export const maxBeginnings = 4

/** How text sorts: characters of Latin-1 are one digit, others three, and the end comes before all of them. */
const digitBase = 258
const beyondLatin = 257
const digitsInAll = 6
/** What is left of a double's 53 bits: a part of the seventh digit. */
const lastParts = 30

/**
 * The beginning of a text as a number: the order of such numbers never contradicts `compareText`. Different texts may
 * have the same; of Latin-1 the first six characters are exact.
 */
export const prefixOf = (text: string): number => prefixWithin(text, 0, text.length)

/** The same for a part of a longer text. */
export function prefixWithin(text: string, start: number, end: number): number {
  let prefix = 0
  let count = 0
  for (let index = start; index < end && count <= digitsInAll; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x100) prefix = withDigit(prefix, count++, unit + 1)
    else {
      const rank = rankOfUnit(unit)
      prefix = withDigit(prefix, count++, beyondLatin)
      prefix = withDigit(prefix, count++, Math.floor(rank / digitBase))
      prefix = withDigit(prefix, count++, rank % digitBase)
    }
  }
  while (count <= digitsInAll) prefix = withDigit(prefix, count++, 0)
  return prefix
}

/** The prefix of what follows a beginning, which the text from `start` to `end` has; else `differentPrefix`. */
export function prefixAfter(beginning: string, text: string, start = 0, end = text.length): number {
  const from = start + beginning.length
  return from <= end && text.startsWith(beginning, start) ? prefixWithin(text, from, end) : differentPrefix
}

/** In place of a prefix: the text begins differently. */
export const differentPrefix = -Infinity

function withDigit(prefix: number, count: number, digit: number): number {
  if (count < digitsInAll) return prefix * digitBase + digit
  return count > digitsInAll ? prefix : prefix * lastParts + Math.floor((digit * lastParts) / digitBase)
}
