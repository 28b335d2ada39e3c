import * as z from 'zod'
import { didYouMean } from '../../../../kernel/text/did-you-mean.ts'
import { type AnyFieldType, defineFieldType } from '../../declaration.ts'
import { computed } from './computed.ts'
import { derivedValue, type ResultType, resultTypes } from './derived-type.ts'

const aggregates = ['count', 'sum', 'avg', 'min', 'max'] as const

const properties = {
  table: z.string().optional(),
  field: z.string().optional(),
  aggregate: z.enum(aggregates).optional(),
  of: z.string().optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
  result: computed.properties.result,
}

export const rollup = defineFieldType({
  ...derivedValue('float'),
  description:
    'A number of, or a sum, average, least or greatest value over the records of another `table` that refer to this one by their `field`. It is kept, and read-only.',
  properties,
  lasting: { result: 'result' },
  mayBeUnique: false,
  rollsUp: ({ table, field }) => (table !== undefined && field !== undefined ? { table, field } : undefined),
  variantOf: ({ result, aggregate }): AnyFieldType | undefined =>
    variants[(result as ResultType | undefined) ?? (aggregate === 'count' ? 'integer' : 'float')],
  newValue: ({ aggregate, result }) =>
    aggregate === 'count' || aggregate === 'sum' ? (result === 'decimal' ? '0' : 0) : undefined,
  checkField({ table, field, aggregate, of, required, default: given }, at, list, tables) {
    if (!table) list.add(`${at}.table`, `The ${at}.table field is required: whose records are rolled up.`)
    else if (!tables.has(table)) list.add(`${at}.table`, `There is no table ${table}.${didYouMean(table, tables)}`)
    if (!field) list.add(`${at}.field`, `The ${at}.field field is required: by which its records refer to this table.`)
    if (!aggregate)
      list.add(`${at}.aggregate`, `The ${at}.aggregate field is required: one of ${aggregates.join(', ')}.`)
    else if (aggregate === 'count' && of !== undefined)
      list.add(`${at}.of`, 'A count is of records: leave out of, or count those that a filter names.')
    else if (aggregate !== 'count' && of === undefined)
      list.add(`${at}.of`, `The ${at}.of field is required: whose ${aggregate} the field holds.`)
    if (required) list.add(`${at}.required`, 'A rollup field may not be required: there may be nothing to roll up.')
    if (given !== undefined && given !== null)
      list.add(`${at}.default`, 'A rollup field has no default: its value is what it rolls up.')
  },
})

/** The type by the type of its value. */
const variants = Object.fromEntries(
  (Object.keys(resultTypes) as ResultType[]).map((result) => [
    result,
    { ...(rollup as AnyFieldType), ...derivedValue(result) },
  ]),
) as Readonly<Record<ResultType, AnyFieldType>>
