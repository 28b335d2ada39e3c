import { own } from '../../../kernel/collections/own-members.ts'
import { parseDatetime } from '../../../kernel/time/parse-date.ts'

const mailDate =
  /^(?:[A-Za-z]{3},?\s+)?(\d{1,2})\s+([A-Za-z]{3})[a-z]{0,6}\s+(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?(?:\s+([+-]\d{4}|[A-Za-z]{1,5}))?(?:\s+\([^()]{0,60}\))?$/
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** The zones that RFC 5322 names; it reads every other one as UTC. */
const zones: Readonly<Record<string, string>> = {
  EDT: '-04',
  EST: '-05',
  CDT: '-05',
  CST: '-06',
  MDT: '-06',
  MST: '-07',
  PDT: '-07',
  PST: '-08',
}
/** A number below this is seconds since 1970, as the Bot API has them; one above it milliseconds. */
const firstMilliseconds = 100_000_000_000
const lastMilliseconds = Date.UTC(9999, 11, 31)
const maxCharacters = 200

/**
 * Reads a moment as messages hold it: an ISO date or datetime, the date of a mail, or seconds or milliseconds since
 * 1970 as a number. Answers ISO 8601 in UTC; undefined for anything else.
 */
export function readInstant(value: unknown): string | undefined {
  if (typeof value === 'number') return readNumber(value)
  if (typeof value !== 'string' || value.length > maxCharacters) return undefined
  const text = value.trim()
  return parseDatetime(text) ?? readMailDate(text)
}

function readNumber(value: number): string | undefined {
  const milliseconds = value < firstMilliseconds ? value * 1000 : value
  return value > 0 && milliseconds <= lastMilliseconds ? new Date(milliseconds).toISOString() : undefined
}

function readMailDate(text: string): string | undefined {
  const match = mailDate.exec(text)
  if (!match) return undefined
  const [, day = '', month = '', year = '', hours = '', minutes = '', seconds = '00', zone = ''] = match
  const number = months.indexOf(month.toLowerCase()) + 1
  if (number === 0) return undefined
  const offset = /^[+-]/.test(zone) ? zone : (own(zones, zone.toUpperCase()) ?? 'Z')
  const date = `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
  return parseDatetime(`${date}T${hours}:${minutes}:${seconds}${offset}`)
}
