const dateShape = /^(\d{4})-(\d{2})-(\d{2})$/
const datetimeShape =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/

/** Answers the text when it is a day of the calendar as `YYYY-MM-DD`, else undefined. */
export function parseDate(text: string): string | undefined {
  const match = dateShape.exec(text)
  if (!match) return undefined
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
  if (year < 1 || month < 1 || month > 12 || day < 1) return undefined
  return day <= daysInMonth(year, month) ? text : undefined
}

function daysInMonth(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] as number
}

/**
 * Converts an ISO 8601 datetime to UTC with milliseconds. Without an offset it is read as UTC, and a date alone as its
 * midnight. Answers undefined for any other text.
 */
export function parseDatetime(text: string): string | undefined {
  const match = datetimeShape.exec(text)
  if (!match || parseDate(match[1] as string) === undefined) return undefined
  const [, date, hours = '00', minutes = '00', seconds = '00', fraction = '', offset = 'Z'] = match
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const moment =
    Date.parse(`${date}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`) - offsetMs(offset)
  if (Number.isNaN(moment)) return undefined
  const iso = new Date(moment).toISOString()
  // With its offset the time may fall outside the years 0001 to 9999.
  return iso.length === 24 && !iso.startsWith('0000') ? iso : undefined
}

function offsetMs(offset: string): number {
  if (offset === 'Z') return 0
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(':', ''))]
  if (hours > 23 || minutes > 59) return Number.NaN
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
