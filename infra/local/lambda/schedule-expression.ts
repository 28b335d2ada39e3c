/** `rate(5 minutes)` and `cron(0 3 * * ? *)` (minutes, hours, day of month, month, day of week, year; UTC). */

export interface ScheduleExpression {
  /** The first time after `after` (both in ms since the epoch); undefined when there is none. */
  next(after: number): number | undefined
}

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }

/** Throws on an expression it cannot parse. */
export function parseSchedule(expression: string): ScheduleExpression {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression)
  if (rate) {
    const periodMs = Number(rate[1]) * unitMs[rate[2]!]!
    return { next: (after) => after + periodMs }
  }
  const cron = /^cron\((.+)\)$/.exec(expression)
  if (cron) return parseCron(cron[1]!, expression)
  throw new Error(`The local cloud cannot read the schedule ${expression}.`)
}

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

function parseCron(text: string, expression: string): ScheduleExpression {
  const fields = text.trim().split(/\s+/)
  if (fields.length !== 6) throw new Error(`The schedule ${expression} does not have six fields.`)
  const read = (
    at: number,
    least: number,
    most: number,
    names: readonly string[] = [],
    first = 0,
  ): ReadonlySet<number> => parseField(fields[at]!, least, most, names, first, expression)
  const minutes = [...read(0, 0, 59)]
  const hours = [...read(1, 0, 23)]
  const daysOfMonth = read(2, 1, 31)
  const months = read(3, 1, 12, monthNames, 1)
  const daysOfWeek = read(4, 1, 7, dayNames, 1)
  const years = read(5, 1970, 2199)

  const isDay = (day: Date): boolean =>
    years.has(day.getUTCFullYear()) &&
    months.has(day.getUTCMonth() + 1) &&
    daysOfMonth.has(day.getUTCDate()) &&
    daysOfWeek.has(day.getUTCDay() + 1)

  return {
    next(after) {
      const day = new Date(after)
      day.setUTCHours(0, 0, 0, 0)
      // The longest gap: eight years between two 29 Februaries.
      for (let looked = 0; looked < 8 * 366; looked++, day.setUTCDate(day.getUTCDate() + 1)) {
        if (!isDay(day)) continue
        for (const hour of hours) {
          for (const minute of minutes) {
            const time = day.getTime() + hour * unitMs['hour']! + minute * unitMs['minute']!
            if (time > after) return time
          }
        }
      }
      return undefined
    },
  }
}

/** The values of a field, ascending: `*`, `?`, names, lists, ranges and steps. */
function parseField(
  field: string,
  least: number,
  most: number,
  names: readonly string[],
  first: number,
  expression: string,
): ReadonlySet<number> {
  const valueOf = (text: string): number => {
    const named = names.indexOf(text.toUpperCase())
    const value = named === -1 ? Number(text) : named + first
    if (!Number.isInteger(value) || value < least || value > most)
      throw new Error(`The local cloud cannot read "${field}" in the schedule ${expression}.`)
    return value
  }
  const values = field.split(',').flatMap((part) => {
    const [range = '', step] = part.split('/')
    const [from, to] = range === '*' || range === '?' ? [least, most] : range.split('-').map(valueOf)
    const end = to ?? (step === undefined ? from! : most)
    return Array.from({ length: end - from! + 1 }, (_, at) => from! + at).filter(
      (value) => (value - from!) % Number(step ?? 1) === 0,
    )
  })
  return new Set(values.toSorted((a, b) => a - b))
}
