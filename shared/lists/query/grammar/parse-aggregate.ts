import { maxGroupFields } from '../../../kernel/limits/lists.ts'
import type { ErrorList } from '../../../tables/tables/service.ts'
import type { Compare, Scalar } from '../../columns/service.ts'
import { kinds } from '../kinds/kinds.ts'
import type { AggregateRow, RawQuery } from '../schema.ts'
import type { QueryField } from './expression-types.ts'
import { resolveAsked, type FieldNames } from './resolve-field.ts'

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
  /** Empty: by the values of `groupBy`. */
  readonly order: readonly GroupSortKey[]
}

/**
 * Parses `group_by` and `aggregate`; undefined for a query of records. `group_by` alone counts the records of each
 * group.
 */
export function parseAggregate(
  { aggregate, group_by }: RawQuery,
  fieldNames: FieldNames,
  list: ErrorList,
): Omit<AggregatePlan, 'order'> | undefined {
  if (!aggregate && !group_by?.length) return undefined
  if ((group_by?.length ?? 0) > maxGroupFields)
    list.add('group_by', `The group_by may not have more than ${maxGroupFields} items.`)
  const field = (name: string, path: string): QueryField | undefined => {
    const resolved = resolveAsked(fieldNames, name.trim())
    if (!('error' in resolved)) return resolved.field
    list.add(path, resolved.error)
    return undefined
  }
  const groupBy = (group_by ?? []).flatMap((name, index) => field(name, `group_by.${index}`) ?? [])
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
    count: aggregate?.count !== undefined ? aggregate.count !== false : measured.length === 0,
  }
}
