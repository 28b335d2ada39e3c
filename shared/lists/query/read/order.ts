import { type Compare, compareScalars, type Scalar } from '../../columns/scalar.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import { idField } from '../grammar/field.ts'

export interface SortKey {
  readonly field: QueryField
  readonly descending: boolean
}

/** Newest first. */
export const defaultOrder: readonly SortKey[] = [{ field: idField, descending: true }]

/** Whether a list is ordered by nothing but the records' own ids. */
export const isById = (order: readonly SortKey[]): boolean => order[0]?.field.name === 'id' && !order[0].field.via

/** Compares groups by their sort values. A missing value comes last in both directions. */
export function compareSortValues(
  order: readonly { readonly descending: boolean; readonly compare?: Compare }[],
  a: readonly (Scalar | undefined)[],
  b: readonly (Scalar | undefined)[],
): number {
  for (const [index, { descending, compare = compareScalars }] of order.entries()) {
    const [left, right] = [a[index], b[index]]
    if (left === right) continue
    if (left === undefined) return 1
    if (right === undefined) return -1
    const compared = compare(left, right)
    if (compared !== 0) return descending ? -compared : compared
  }
  return 0
}
