import { byName } from '../../../kernel/collections/own-members.ts'
import type { Scalar } from '../../columns/scalar.ts'
import type { Measure } from '../grammar/parse-aggregate.ts'
import type { AggregateRow, GroupValue } from '../schema.ts'
import type { GridColumn } from './grid-columns.ts'

/** The columns of a grid's groups. */
export interface GridGroups {
  readonly grouped: GridColumn
  readonly measured: readonly { readonly column: GridColumn; readonly measure: Measure | 'count' }[]
}

/** A group with its values in the places where the rows of records have theirs. */
export type GridGroupRow = AggregateRow & { readonly data: Readonly<Record<string, unknown>> }

/** The key of the group of records without a value: the grid cannot open a group whose key is null. */
export const keyOfNothing = ''
/** The key of the group of empty texts, which must be another one: a space without width. */
export const keyOfEmptyText = '\u200B'

/** Adds to each group the values that the grid's columns show: the grid reads them as it does a record's. */
export const gridGroupRows = (rows: readonly AggregateRow[], groups: GridGroups): GridGroupRow[] =>
  rows.map((row) => gridGroupRow(row, groups))

function gridGroupRow(row: AggregateRow, { grouped, measured }: GridGroups): GridGroupRow {
  const data = byName<unknown>()
  const placed = Object.assign(byName<unknown>(), { data })
  place(placed, grouped.place, keyOf(row.group[grouped.name] ?? null))
  for (const { column, measure } of measured)
    place(placed, column.place, measure === 'count' ? row.count : row[measure]?.[column.name])
  return { ...placed, ...row, data }
}

const keyOf = (value: GroupValue): Scalar => {
  if (Array.isArray(value)) return value.join()
  return value === null ? keyOfNothing : value === '' ? keyOfEmptyText : value
}

/** Of two columns of one field the first counts: the grid could not tell them apart. */
function place(row: Record<string, unknown>, [name = '', ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) row[name] = row[name] ?? value
  else {
    const within = (row[name] as Record<string, unknown> | undefined) ?? byName<unknown>()
    row[name] = within
    place(within, inner, value)
  }
}
