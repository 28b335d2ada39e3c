const duration = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/

/** The moment that lies an ISO 8601 duration after another, in UTC; undefined when the text is none. */
export function addDuration(fromMs: number, text: string): number | undefined {
  const match = duration.exec(text.trim())
  if (!match) return undefined
  const [years, months, weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0)) as [number, number, number, number, number, number, number]
  const date = new Date(fromMs)
  if (years > 0 || months > 0) {
    const day = date.getUTCDate()
    date.setUTCDate(1)
    date.setUTCMonth(date.getUTCMonth() + years * 12 + months)
    // The 31st plus a month is the last day of a shorter one.
    date.setUTCDate(Math.min(day, new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()))
  }
  const moment = date.getTime() + (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1000
  return Number.isFinite(moment) && Math.abs(moment) <= 8.64e15 ? Math.round(moment) : undefined
}
