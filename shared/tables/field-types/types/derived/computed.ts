import * as z from 'zod'
import { maxFormulaCharacters } from '../../../../kernel/limits/tables.ts'
import { type AnyFieldType, defineFieldType } from '../../declaration.ts'
import { scale } from '../number/decimal.ts'
import { derivedValue, type ResultType, resultTypes } from './derived-type.ts'

const results = Object.keys(resultTypes) as ResultType[]

const properties = {
  formula: z.string().max(maxFormulaCharacters).optional(),
  result: z.enum(results).optional(),
  scale,
}

const declared = defineFieldType({
  ...derivedValue('text'),
  description: 'A value that a FEEL formula makes of the other fields of the record. It is kept, and read-only.',
  properties,
  lasting: { result: 'result', scale: 'scale' },
  mayBeUnique: false,
  variantOf: ({ result }): AnyFieldType | undefined =>
    result === undefined ? undefined : variants[result as ResultType],
  checkField({ formula, result, scale: places, required, default: given }, at, list) {
    if (formula === undefined || formula.trim() === '')
      list.add(`${at}.formula`, `The ${at}.formula field is required: a FEEL expression such as price * quantity.`)
    if (result === undefined)
      list.add(
        `${at}.result`,
        `The ${at}.result field is required: the type of the value, one of ${results.join(', ')}.`,
      )
    if (places !== undefined && result !== 'decimal')
      list.add(`${at}.scale`, 'Only a decimal result has digits after the point: leave out scale, or choose decimal.')
    if (required) list.add(`${at}.required`, 'A computed field may not be required: its formula may have no value.')
    if (given !== undefined && given !== null)
      list.add(`${at}.default`, 'A computed field has no default: its value is what its formula makes.')
  },
})

export const computed = declared

/** The type by the type of its value. */
const variants = Object.fromEntries(
  results.map((result) => [result, { ...(declared as AnyFieldType), ...derivedValue(result) }]),
) as Readonly<Record<ResultType, AnyFieldType>>
