import { parseDatetime } from '../../../../kernel/time/parse-date.ts'
import { timeType } from './time-type.ts'

export const datetime = timeType(
  { description: 'A moment, kept in UTC.', kind: 'datetime', format: 'date-time', example: '2030-01-31T09:00:00Z' },
  parseDatetime,
  (value, read) => read.instant(value),
)
