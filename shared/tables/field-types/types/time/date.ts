import { parseDate } from '../../../../kernel/time/parse-date.ts'
import { timeType } from './time-type.ts'

export const date = timeType(
  { description: 'A day.', kind: 'date', format: 'date', example: '2030-01-31' },
  parseDate,
  (value, read) => read.day(value),
)
