import { say } from '../../../../kernel/failures/sentence.ts'
import { defineFieldType } from '../../declaration.ts'
import { integer } from './integer.ts'
import { numberInCell, numberInText } from './number-type.ts'

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
      return { error: say(problem ?? 'not_duration', { field: field.name }) }
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

const units = { W: 604_800, D: 86_400, H: 3600, M: 60, S: 1 } as const

const amount = String.raw`(\d{1,15}(?:[.,]\d{1,9})?)`
const iso = new RegExp(
  `^([+-])?P(?:${amount}Y)?(?:${amount}M)?(?:${amount}W)?(?:${amount}D)?(T(?:${amount}H)?(?:${amount}M)?(?:${amount}S)?)?$`,
)

/** Why a duration has no whole seconds: the code of what is said of it. */
type DurationProblem = 'duration_without_length' | 'duration_with_fraction' | 'duration_too_long'

/**
 * The whole seconds of an ISO 8601 duration (`P1DT2H`, `-PT90S`, `PT1.5H`); a problem when it is one but has no fixed, or
 * no whole, number of seconds; undefined for any other text.
 */
function parseDuration(text: string): number | { readonly problem: DurationProblem } | undefined {
  const match = iso.exec(text)
  if (!match || /[PT]$/.test(text)) return undefined
  const [, sign, years, months, weeks, days, , hours, minutes, seconds] = match
  if (years !== undefined || months !== undefined) return { problem: 'duration_without_length' }
  const parts = [
    [weeks, units.W],
    [days, units.D],
    [hours, units.H],
    [minutes, units.M],
    [seconds, units.S],
  ] as const
  // Billionths, so that fractions add up exactly.
  let billionths = 0n
  for (const [part, unit] of parts) if (part !== undefined) billionths += inBillionths(part) * BigInt(unit)
  const total = Number(billionths / 1_000_000_000n)
  if (billionths % 1_000_000_000n !== 0n) return { problem: 'duration_with_fraction' }
  if (!Number.isSafeInteger(total)) return { problem: 'duration_too_long' }
  return sign === '-' && total !== 0 ? -total : total
}

function inBillionths(part: string): bigint {
  const [whole = '', fraction = ''] = part.split(/[.,]/)
  return BigInt(whole + fraction.padEnd(9, '0'))
}

/** Seconds as people say them: `1 d 2 h 30 min`. */
function durationInWords(seconds: number): string {
  const words: string[] = []
  let left = Math.abs(seconds)
  for (const [unit, name] of [
    [units.D, 'd'],
    [units.H, 'h'],
    [units.M, 'min'],
    [units.S, 's'],
  ] as const) {
    const count = Math.floor(left / unit)
    left -= count * unit
    if (count > 0) words.push(`${count} ${name}`)
  }
  return words.length === 0 ? '0 s' : `${seconds < 0 ? '-' : ''}${words.join(' ')}`
}
