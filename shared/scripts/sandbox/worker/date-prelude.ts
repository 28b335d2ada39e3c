/**
 * `$api.date` as source text for QuickJS, a part of the prelude, whose `now` it reads. Dates and datetimes are ISO 8601
 * in UTC, as in records. A date stays a date when whole days, weeks, months or years are added.
 */
export const datePrelude = String.raw`(() => {
const BaseDate = Date, dayMs = 86400000
const unitMs = freeze({ __proto__: null, second: 1000, minute: 60000, hour: 3600000, day: dayMs, week: 7 * dayMs })
const unitMonths = freeze({ __proto__: null, month: 1, year: 12 })
const isDay = (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/

function read(value) {
  const text = value === undefined || value === null ? now : typeof value === 'string' && !isDay(value) && !hasZone.test(value) ? value.replace(' ', 'T') + 'Z' : value
  const date = new BaseDate(text)
  if (Number.isNaN(date.getTime())) throw new RangeError('$api.date: ' + show(value) + ' is no date')
  return date
}
function unitOf(unit) {
  const name = asText(unit).replace(/s$/, '')
  if (!(name in unitMs) && !(name in unitMonths)) throw new RangeError('$api.date: unknown unit ' + show(unit))
  return name
}
const lastDay = (year, month) => new BaseDate(BaseDate.UTC(year, month + 1, 0)).getUTCDate()

function addMonths(date, months) {
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  // The 31st of a shorter month is its last day.
  date.setUTCDate(Math.min(day, lastDay(date.getUTCFullYear(), date.getUTCMonth())))
  return date
}
function monthsBetween(from, to) {
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  const reached = addMonths(new BaseDate(from), months)
  if (months > 0 && reached > to) return months - 1
  return months < 0 && reached < to ? months + 1 : months
}
const two = (number) => asText(number).padStart(2, '0')

return freeze({
  __proto__: null,
  now: freeze(() => read().toISOString()),
  today: freeze(() => read().toISOString().slice(0, 10)),
  add: freeze((value, amount, unit) => {
    const date = read(value), name = unitOf(unit)
    const moved = name in unitMonths ? addMonths(date, amount * unitMonths[name]) : new BaseDate(date.getTime() + amount * unitMs[name])
    const text = read(moved).toISOString()
    return isDay(value) && (name in unitMonths || unitMs[name] >= dayMs) ? text.slice(0, 10) : text
  }),
  diff: freeze((from, to, unit = 'day') => {
    const start = read(from), end = read(to), name = unitOf(unit)
    return name in unitMonths ? Math.trunc(monthsBetween(start, end) / unitMonths[name]) : Math.trunc((end - start) / unitMs[name])
  }),
  format: freeze((value, pattern) => {
    const date = read(value)
    const parts = {
      __proto__: null,
      YYYY: asText(date.getUTCFullYear()).padStart(4, '0'), MM: two(date.getUTCMonth() + 1), DD: two(date.getUTCDate()),
      HH: two(date.getUTCHours()), mm: two(date.getUTCMinutes()), ss: two(date.getUTCSeconds()),
    }
    return asText(pattern).replace(/YYYY|MM|DD|HH|mm|ss/g, (part) => parts[part])
  }),
})
})()`
