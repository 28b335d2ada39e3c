import * as z from 'zod'
import { say } from '../../../../kernel/failures/sentence.ts'
import { defaultDecimalScale, maxDecimalDigits, maxDecimalScale } from '../../../../kernel/limits/tables.ts'
import { compareDecimals, formatDecimal, parseDecimal } from '../../../../kernel/text/decimal.ts'
import type { JsonSchema } from '../../../../platform/http/openapi/document-types.ts'
import { type CheckedValue, defineFieldType, type FieldWith } from '../../declaration.ts'
import { bounds } from './number-type.ts'

/** How many digits after the point are kept. */
export const scale = z
  .int()
  .min(0)
  .max(maxDecimalScale)
  .optional()
  .meta({ description: `Digits after the point; default: ${defaultDecimalScale}.` })

const properties = { ...bounds, scale }
type DecimalField = FieldWith<typeof properties>

/** More digits than these a JSON number may have lost on its way. */
const exactNumberDigits = 15

const digitsIn = (unscaled: bigint): number => String(unscaled < 0n ? -unscaled : unscaled).length
const written = (text: string): JsonSchema => ({ type: 'string', pattern: text })

export const decimal = defineFieldType({
  description:
    'An exact decimal number, as text with `scale` digits after the point: `"12.50"`. Numbers are taken too.',
  properties,
  lasting: { scale: 'scale' },
  mayBeUnique: true,
  check({ name, scale: places = defaultDecimalScale, min, max }, value): CheckedValue {
    const isNumber = typeof value === 'number' && Number.isFinite(value)
    const read = isNumber || typeof value === 'string' ? parseDecimal(String(value).trim()) : undefined
    if (!read) return { error: say('not_decimal', { field: name }) }
    if (read.scale > places)
      return {
        error: say('too_many_decimals', { field: name, places }),
      }
    if (isNumber && digitsIn(read.unscaled) > exactNumberDigits)
      return { error: say('inexact_number', { field: name }) }
    if (digitsIn(read.unscaled) + places - read.scale > maxDecimalDigits)
      return {
        error: say('too_many_digits', { field: name, digits: maxDecimalDigits, places }),
      }
    const text = formatDecimal(read, places)
    if (min !== undefined && compareDecimals(text, plain(min)) < 0)
      return { error: say('too_small', { field: name, min }) }
    if (max !== undefined && compareDecimals(text, plain(max)) > 0)
      return { error: say('too_great', { field: name, max }) }
    return { value: text }
  },
  checkField({ min, max }, at, list) {
    if (min !== undefined && max !== undefined && min > max)
      list.add(`${at}.min`, 'The min may not be greater than the max.')
  },
  kind: 'decimal',
  reference: {
    value: written(String.raw`^-?[0-9]+(\.[0-9]+)?$`),
    input: () => ({ anyOf: [written(String.raw`^[+-]?[0-9]*(\.[0-9]*)?$`), { type: 'number' }] }),
  },
  example: (field) => exampleOf(field),
  isExampleValid: () => true,
  scriptType: () => 'string',
  inForms: 'plain',
  readCell: (_, text) => text.trim(),
  readMessage: (_, value, read) =>
    typeof value === 'string' && !parseDecimal(value.trim()) ? (read.number(value) ?? value) : value,
  inWords: (_, value) => (typeof value === 'string' ? value : undefined),
})

/** A bound as the text that decimals compare with. */
function plain(bound: number): string {
  const read = parseDecimal(String(bound))
  return read ? formatDecimal(read) : '0'
}

function exampleOf({ scale: places = defaultDecimalScale, min = 12.5, max = Infinity }: DecimalField): string {
  const read = parseDecimal(String(Math.trunc(Math.min(Math.max(12, min), max))))
  return formatDecimal(read ?? { unscaled: 0n, scale: 0 }, places)
}
