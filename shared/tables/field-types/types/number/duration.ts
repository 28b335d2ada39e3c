import { defineFieldType } from '../../declaration.ts'
import { durationInWords, parseDuration } from './duration-text.ts'
import { integer } from './integer.ts'
import { numberInCell, numberInText } from './number-in-text.ts'

/** ISO 8601 as seconds; a problem of such a text, or any other value, as it is. */
function secondsOf(value: unknown): unknown {
  const parsed = typeof value === 'string' ? parseDuration(value.trim()) : undefined
  return typeof parsed === 'number' ? parsed : value
}

const numberOrDuration = (read: unknown): unknown => (typeof read === 'string' ? secondsOf(read) : read)

export const duration = defineFieldType({
  ...integer,
  description:
    'A length of time in whole seconds; ISO 8601 such as `PT1H30M` is taken too. From 0 on, unless `min` is less.',
  check(field, value) {
    const given = secondsOf(value)
    if (typeof given === 'string') {
      const parsed = parseDuration(given.trim())
      const problem = typeof parsed === 'object' ? parsed.problem : undefined
      return { error: `The ${field.name} ${problem ?? 'must be a number of seconds, or a duration such as PT1H30M.'}` }
    }
    return integer.check({ ...field, min: field.min ?? 0 }, given)
  },
  checkField({ min = 0, ...field }, at, list, tables) {
    integer.checkField?.({ ...field, min }, at, list, tables)
  },
  reference: {
    value: { type: 'integer', description: 'Seconds.' },
    input: ({ min = 0, max }) => ({
      anyOf: [
        { type: 'integer', minimum: min, ...(max !== undefined && { maximum: max }) },
        { type: 'string', format: 'duration' },
      ],
      description: 'Seconds, or an ISO 8601 duration without years and months.',
    }),
  },
  example: ({ min = 0, max = Infinity }) => Math.min(Math.max(5400, min), max),
  readOperand: (_, value) => secondsOf(value),
  readText: (text) => numberOrDuration(numberInText(text)),
  readCell: (_, text) => numberInCell(text) ?? secondsOf(text),
  readMessage: (_, value, read) => (typeof value === 'string' ? (read.number(value) ?? secondsOf(value)) : value),
  inWords: (_, value) => (typeof value === 'number' ? durationInWords(value) : undefined),
})
