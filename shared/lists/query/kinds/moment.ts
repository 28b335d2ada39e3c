import { parseDate, parseDatetime } from '../../../kernel/time/parse-date.ts'
import { isVariable, readMoment } from '../grammar/variables.ts'
import type { Kind } from './kind.ts'

const dayMs = 86_400_000

const momentKind = (
  name: 'date' | 'datetime',
  parse: (text: string) => string | undefined,
  numbers: NonNullable<Kind['numbers']>,
): Kind => ({
  parse(given, path, variables) {
    const value = typeof given === 'string' ? (readMoment(given, name, variables) ?? parse(given)) : undefined
    if (value !== undefined) return { value }
    const advice = isVariable(given)
      ? ' Write a variable such as $NOW, $TODAY or $NOW(-7 days), in seconds, minutes, hours, days, weeks, months or years.'
      : ''
    return { error: `The ${path} is not a valid date.${advice}` }
  },
  isOrdered: true,
  numbers,
  grid: { filter: 'date', holds: `${name}s` },
})

export const date = momentKind('date', parseDate, {
  vector: 'date',
  of: (value) => Date.parse(String(value)) / dayMs,
})
export const datetime = momentKind('datetime', parseDatetime, {
  vector: 'time',
  of: (value) => Date.parse(String(value)),
})
