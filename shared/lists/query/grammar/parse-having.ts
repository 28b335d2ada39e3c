import { didYouMean } from '../../../kernel/text/did-you-mean.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { ErrorList } from '../../../tables/tables/error-list.ts'
import type { Scalar } from '../../columns/scalar.ts'
import type { AggregateRow, RawQuery } from '../schema.ts'
import type { Expression, QueryField } from './expression.ts'
import type { AggregatePlan } from './parse-aggregate.ts'
import { parseFilter } from './parse-filter.ts'
import type { FieldNames, Resolved } from './resolve-field.ts'
import type { Variables } from './variables.ts'

/** What `having` may name: `count`, and each measure of the query, such as `avg.priority`. */
export function parseHaving(
  { having }: RawQuery,
  plan: Pick<AggregatePlan, 'count' | 'measured'>,
  { fieldNames, variables, list }: { fieldNames: FieldNames; variables: Variables; list: ErrorList },
): Expression | undefined {
  if (having === undefined || having === null) return undefined
  const known = new Map(measuresOf(plan).map((field) => [field.path, field]))
  const resolve = (path: string): Resolved => {
    const field = known.get(path)
    if (field) return { field }
    const names = [...known.keys()]
    return {
      error: `The having ${path} is no measure of this query.${didYouMean(path, names) || ` There are: ${names.join(', ')}.`}`,
    }
  }
  return parseFilter(having, { fieldNames, variables, list, resolve }, 'having')
}

function measuresOf({ count, measured }: Pick<AggregatePlan, 'count' | 'measured'>): QueryField[] {
  const counted = count ? [ofGroups('count', { kind: 'number' }, (row) => row.count)] : []
  return [
    ...counted,
    ...measured.map(({ measure, field: { path, kind, definition } }) => {
      const valueOf = (row: AggregateRow): unknown => row[measure]?.[path]
      // An average of decimals has more digits than they have.
      if (measure === 'avg') return ofGroups(`avg.${path}`, { kind: 'number' }, (row) => numberOf(valueOf(row)))
      const isNumber = measure === 'sum' && kind !== 'decimal'
      return ofGroups(
        `${measure}.${path}`,
        isNumber || !definition || typeOfField(definition).mayBeLong
          ? { kind: isNumber ? 'number' : kind }
          : { kind, definition },
        valueOf,
      )
    }),
  ]
}

const numberOf = (value: unknown): number | undefined =>
  value === null || value === undefined ? undefined : Number(value)

/** A measure as a field of a group, whose row stands in for that of a record. */
const ofGroups = (
  path: string,
  type: Pick<QueryField, 'kind' | 'definition'>,
  valueOf: (row: AggregateRow) => unknown,
): QueryField => ({
  path,
  name: path,
  isStandard: true,
  ...type,
  readValue: ({ item }) => (valueOf(item as unknown as AggregateRow) ?? undefined) as Scalar | undefined,
})
