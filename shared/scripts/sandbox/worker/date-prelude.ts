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

const quoted = (value) => typeof value === 'string' ? stringify(cut(value)) : show(value)
const wrong = (signature, message) => { throw new RangeError('$api.date.' + signature + ': ' + message) }

function read(value, signature, name) {
  const refuse = () => wrong(signature, name + ' must be a date such as "2026-11-20" or a moment such as "2026-11-20T07:17:00Z", not ' + quoted(value))
  if (value === undefined || value === null) return new BaseDate(now)
  if (typeof value !== 'string' && typeof value !== 'number' && !(value instanceof BaseDate)) refuse()
  // Other engines move 31 February to March; so does this one.
  const day = typeof value === 'string' ? /^(\d{4})-(\d\d)-(\d\d)/.exec(value) : null
  if (day !== null && (day[2] < 1 || day[2] > 12 || day[3] < 1 || day[3] > lastDay(+day[1], day[2] - 1))) refuse()
  const date = new BaseDate(typeof value === 'string' && !isDay(value) && !hasZone.test(value) ? value.replace(' ', 'T') + 'Z' : value)
  if (Number.isNaN(date.getTime())) refuse()
  return date
}
function unitOf(unit, signature) {
  const name = typeof unit === 'string' ? unit.replace(/s$/, '') : ''
  if (!(name in unitMs) && !(name in unitMonths)) wrong(signature, 'unit must be second, minute, hour, day, week, month or year, not ' + quoted(unit))
  return name
}
const addCall = 'add(value, amount, unit)', diffCall = 'diff(from, to, unit)', formatCall = 'format(value, pattern)'
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
    const date = read(value, addCall, 'value'), name = unitOf(unit, addCall)
    const number = typeof amount === 'number' || (typeof amount === 'string' && amount.trim() !== '') ? +amount : NaN
    if (!Number.isFinite(number)) wrong(addCall, 'amount must be a number, not ' + quoted(amount))
    const moved = name in unitMonths ? addMonths(date, number * unitMonths[name]) : new BaseDate(date.getTime() + number * unitMs[name])
    if (Number.isNaN(moved.getTime())) wrong(addCall, 'the result is beyond the dates that there are')
    const text = moved.toISOString()
    return isDay(value) && (name in unitMonths || unitMs[name] >= dayMs) ? text.slice(0, 10) : text
  }),
  diff: freeze((from, to, unit = 'day') => {
    const start = read(from, diffCall, 'from'), end = read(to, diffCall, 'to'), name = unitOf(unit, diffCall)
    return name in unitMonths ? Math.trunc(monthsBetween(start, end) / unitMonths[name]) : Math.trunc((end - start) / unitMs[name])
  }),
  format: freeze((value, pattern) => {
    const date = read(value, formatCall, 'value')
    if (typeof pattern !== 'string') wrong(formatCall, 'pattern must be a text such as "YYYY-MM-DD HH:mm", not ' + quoted(pattern))
    const parts = {
      __proto__: null,
      YYYY: asText(date.getUTCFullYear()).padStart(4, '0'), MM: two(date.getUTCMonth() + 1), DD: two(date.getUTCDate()),
      HH: two(date.getUTCHours()), mm: two(date.getUTCMinutes()), ss: two(date.getUTCSeconds()),
    }
    return pattern.replace(/YYYY|MM|DD|HH|mm|ss/g, (part) => parts[part])
  }),
})
})()`
