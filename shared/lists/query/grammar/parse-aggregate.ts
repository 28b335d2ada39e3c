import { maxGroupFields } from '../../../kernel/limits/lists.ts'
import { didYouMean, shown } from '../../../kernel/text/did-you-mean.ts'
import type { ErrorList } from '../../../tables/tables/error-list.ts'
import type { Compare, Scalar } from '../../columns/scalar.ts'
import { bucketsOf, bucketUnits } from '../kinds/buckets.ts'
import { kinds } from '../kinds/kinds.ts'
import type { AggregateRow, RawQuery } from '../schema.ts'
import type { Expression, QueryField } from './expression.ts'
import { type FieldNames, resolveAsked, type Resolved } from './resolve-field.ts'

export const measures = ['sum', 'avg', 'min', 'max', 'first', 'last'] as const
export type Measure = (typeof measures)[number]

/** A sort key of groups. */
export interface GroupSortKey {
  readonly descending: boolean
  readonly compare?: Compare
  read(row: AggregateRow): Scalar | null
}

/** The groups of a query and what is computed for each. */
export interface AggregatePlan {
  readonly groupBy: readonly QueryField[]
  readonly count: boolean
  readonly measured: readonly { readonly measure: Measure; readonly field: QueryField }[]
  /** What groups must pass. */
  readonly having?: Expression
  /** So many groups are answered one by one, and all others as one. */
  readonly top?: number
  /** Empty: by the values of `groupBy`. */
  readonly order: readonly GroupSortKey[]
}

/**
 * Parses `group_by` and `aggregate`; undefined for a query of records. `group_by` alone counts the records of each
 * group.
 */
export function parseAggregate(
  { aggregate, group_by, having, top }: RawQuery,
  fieldNames: FieldNames,
  list: ErrorList,
  timeZone: string,
): Omit<AggregatePlan, 'order' | 'having'> | undefined {
  if (!aggregate && !group_by?.length) {
    for (const [name, given] of Object.entries({ having, top }))
      if (given !== undefined && given !== null) list.add(name, `The ${name} is about groups: say group_by.`)
    return undefined
  }
  if (top && !group_by?.length) list.add('top', 'The top is about groups: say group_by.')
  if ((group_by?.length ?? 0) > maxGroupFields)
    list.add('group_by', `The group_by may not have more than ${maxGroupFields} items.`)
  const field = (name: string, path: string): QueryField | undefined => {
    const resolved = resolveAsked(fieldNames, name.trim())
    if (!('error' in resolved)) return resolved.field
    list.add(path, resolved.error)
    return undefined
  }
  const groupBy = (group_by ?? []).flatMap((given, index) => {
    const path = `group_by.${index}`
    const [name = '', ...units] = given.split(':')
    const found = field(name, path)
    if (!found || units.length === 0) return found ?? []
    const bucketed = bucketedField(found, units.join(':').trim(), timeZone)
    if (!('error' in bucketed)) return bucketed.field
    list.add(path, bucketed.error)
    return []
  })
  const measured = measures.flatMap((measure) =>
    (aggregate?.[measure] ?? []).flatMap((name, index) => {
      const path = `aggregate.${measure}.${index}`
      const found = field(name, path)
      if (!found) return []
      const isAdded = measure === 'sum' || measure === 'avg'
      const { isAddable, isOrdered } = kinds[found.kind]
      if (isAdded ? !isAddable : !isOrdered)
        list.add(
          path,
          `The ${measure} of ${found.path} cannot be taken: it needs ${isAdded ? 'numbers' : 'values with an order'}.`,
        )
      return [{ measure, field: found }]
    }),
  )
  return {
    groupBy,
    measured,
    ...(top && { top }),
    count: aggregate?.count !== undefined ? aggregate.count !== false : measured.length === 0,
  }
}

/** A field whose values are gathered by hours, days, ... */
function bucketedField(field: QueryField, unit: string, timeZone: string): Resolved {
  const { kind, path } = field
  const known = bucketUnits.find((one) => one === unit)
  if (kind !== 'date' && kind !== 'datetime')
    return { error: `The field ${path} holds no dates, which alone are grouped by ${bucketUnits.join(', ')}.` }
  if (!known)
    return {
      error: `There is no ${shown(unit)} to group by.${didYouMean(unit, bucketUnits) || ` There are ${bucketUnits.join(', ')}.`}`,
    }
  if (kind === 'date' && known === 'hour') return { error: `The field ${path} holds days, which have no hours.` }
  return { field: { ...field, path: `${path}:${known}`, bucket: bucketsOf(known, kind, timeZone) } }
}
