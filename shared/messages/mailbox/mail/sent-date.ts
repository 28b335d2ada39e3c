/** RFC 5322 §3.3, as programs write it: with or without day of the week, seconds and zone, and with dashes. */
const mailDate =
  /^(?:[a-z]{2,9}\.?,?\s{1,5})?(\d{1,2})[\s-]([a-z]{3})[a-z]{0,6}[\s-](\d{2,4})\s{1,5}(\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d{1,6})?\s{0,5}([+-]\d{4}|[ecmp][sd]t\b)?/i
const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?/

/** Clocks that were never set say 1970. */
const earliestMs = Date.UTC(1980, 0)
const latestMs = Date.UTC(10_000, 0) - 1

/** The time that a `Date` header says, as ISO in UTC; null when it says none. A time without zone is UTC. */
export function sentDate(value: string | undefined): string | null {
  const text = (value ?? '').trim().slice(0, 200)
  const [, day, month, year, time, zone = 'UTC'] = mailDate.exec(text) ?? []
  const plain = day === undefined ? isoDate.exec(text)?.[0] : `${day} ${month} ${year} ${time} ${zone}`
  const ms = plain === undefined ? Number.NaN : Date.parse(plain)
  return ms >= earliestMs && ms <= latestMs ? new Date(ms).toISOString() : null
}
