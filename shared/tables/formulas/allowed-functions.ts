/** The words of some lines, separated by a comma. */
export const wordSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(', ')))

/** The functions that a formula may call: those whose time is bounded by the length of what they are given. */
export const allowedFunctions: ReadonlySet<string> = wordSet(
  'abs, ceiling, decimal, even, exp, floor, log, modulo, number, odd, sqrt',
  'round down, round half down, round half up, round up',
  'contains, ends with, lower case, starts with, string, string join, string length',
  'substring, substring after, substring before, upper case',
  'date, date and time, duration, time, years and months duration',
  'day of week, day of year, month of year, week of year',
  'all, any, append, concatenate, count, list contains, max, mean, median, min, product, sum',
  'after, before, not',
)

const ofTheMoment =
  'depends on the moment: the value is kept with the record, and would be wrong a moment later. Use a filter with $NOW or $TODAY instead.'
const byPattern = 'is not available: a regular expression could run for very long.'

/** Functions of FEEL that a formula may not call although somebody may look for them, and why. */
export const refusedFunctions: ReadonlyMap<string, string> = new Map([
  ['now', ofTheMoment],
  ['today', ofTheMoment],
  ['replace', byPattern],
  ['matches', byPattern],
  ['split', byPattern],
])

/** What may be read of a date, a time, a duration or a place. */
export const allowedMembers: ReadonlySet<string> = wordSet(
  'year, month, day, weekday, hour, minute, second',
  'years, months, days, hours, minutes, seconds',
  'lat, lng',
)

/** What only expressions that are evaluated once may call. */
export const momentFunctions: ReadonlySet<string> = new Set(['now', 'today'])
