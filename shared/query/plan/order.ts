import { compareScalars, type Scalar } from '../../columns/service.ts'
import type { Row } from '../access/row.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import { idField } from '../grammar/field.ts'

export interface SortKey {
  readonly field: QueryField
  readonly descending: boolean
}

/** Newest first. */
export const defaultOrder: readonly SortKey[] = [{ field: idField, descending: true }]

export type SortValue = Scalar | undefined

/** The sort values of a record; of several files the first. */
export const sortValues = (order: readonly SortKey[], row: Row): SortValue[] =>
  order.map(({ field }) => {
    const value = field.readValue(row)
    return typeof value === 'object' ? value[0] : value
  })

/** Compares records, or groups, by their sort values. A missing value comes last in both directions. */
export function compareSortValues(
  order: readonly Pick<SortKey, 'descending'>[],
  a: readonly SortValue[],
  b: readonly SortValue[],
): number {
  for (const [index, { descending }] of order.entries()) {
    const [left, right] = [a[index], b[index]]
    if (left === right) continue
    if (left === undefined) return 1
    if (right === undefined) return -1
    const compared = compareScalars(left, right)
    if (compared !== 0) return descending ? -compared : compared
  }
  return 0
}
