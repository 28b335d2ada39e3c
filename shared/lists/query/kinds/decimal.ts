import { defaultDecimalScale } from '../../../kernel/limits/tables.ts'
import { compareDecimals, formatDecimal, parseDecimal } from '../../../kernel/text/decimal.ts'
import type { Kind } from './kind.ts'

/** Decimals are texts with as many digits after the point as their field has. */
export const decimal: Kind = {
  parse(given, path, _, { definition }) {
    const read = typeof given === 'string' || typeof given === 'number' ? parseDecimal(String(given).trim()) : undefined
    return read
      ? { value: formatDecimal(read, scaleOf(definition)) }
      : { error: `The ${path} must be a decimal number, such as "12.50".` }
  },
  isOrdered: true,
  isAddable: true,
  compare: (a, b) => compareDecimals(String(a), String(b)),
  grid: { filter: 'number', holds: 'numbers' },
}

/** The digits after the point of a field's values. */
export const scaleOf = (field: object | undefined): number =>
  (field as { scale?: number } | undefined)?.scale ?? defaultDecimalScale
