/** When a day begins, in the zone of the reader. `day`: `2026-12-21`. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00`).toISOString()

/** When a day is over, in the zone of the reader. */
export function endOfDay(day: string): string {
  const date = new Date(`${day}T00:00`)
  // A day of a change of the clock has not 24 hours.
  date.setDate(date.getDate() + 1)
  return date.toISOString()
}

const two = (number: number): string => String(number).padStart(2, '0')

/** The day of a moment, in the zone of the reader; `plusMs`: of so much later. */
export function dayOf(moment: string, plusMs = 0): string {
  const date = new Date(Date.parse(moment) + plusMs)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
