/** How the numbers of a vector read: as themselves, as the ms of a time, as the days of a date. */
export type NumberKind = 'number' | 'time' | 'date'

const dayMs = 86_400_000

/** The ms of a text of the form `YYYY-MM-DDTHH:MM:SS.mmmZ` that names a real time; NaN for any other text. */
export function parseTime(text: string): number {
  if (text.length !== 24 || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':') return Number.NaN
  if (text[19] !== '.' || text[23] !== 'Z') return Number.NaN
  const hours = digits(text, 11, 2)
  const minutes = digits(text, 14, 2)
  const seconds = digits(text, 17, 2)
  if (!(hours < 24 && minutes < 60 && seconds < 60)) return Number.NaN
  return daysAt(text) * dayMs + ((hours * 60 + minutes) * 60 + seconds) * 1000 + digits(text, 20, 3)
}

/** The days since 1970 of a text of the form `YYYY-MM-DD` that names a real day; NaN for any other text. */
export const parseDate = (text: string): number => (text.length === 10 ? daysAt(text) : Number.NaN)

export const formatTime = (ms: number): string => new Date(ms).toISOString()
export const formatDate = (days: number): string => new Date(days * dayMs).toISOString().slice(0, 10)

/** The numbers that have a text of the form: years from 0000 to 9999. */
export const timeBounds = [parseTime('0000-01-01T00:00:00.000Z'), parseTime('9999-12-31T23:59:59.999Z')] as const
export const dateBounds = [parseDate('0000-01-01'), parseDate('9999-12-31')] as const

/** The days of the date that a text begins with. */
function daysAt(text: string): number {
  if (text[4] !== '-' || text[7] !== '-') return Number.NaN
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 2)
  const day = digits(text, 8, 2)
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return Number.NaN
  // Years begin in March, so that the leap day is the last; 719,468 days lie between 0000-03-01 and 1970.
  const years = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return 365 * years + Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400) + dayOfYear - 719_468
}

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
function daysIn(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

function digits(text: string, start: number, count: number): number {
  let number = 0
  for (let index = start; index < start + count; index += 1) {
    const digit = text.charCodeAt(index) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    number = number * 10 + digit
  }
  return number
}
