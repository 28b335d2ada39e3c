import { type Compare, compareScalars, type Scalar } from '../../columns/scalar.ts'
import type { QueryField } from '../grammar/expression.ts'
import { idField } from '../grammar/field.ts'
import { type AggregatePlan, type GroupSortKey, measures } from '../grammar/parse-aggregate.ts'
import { kinds } from '../kinds/kinds.ts'
import type { AggregateRow, GroupValue } from '../schema.ts'

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

/**
 * Splits `sort` into sort keys of groups (a `group_by` field, `count`, a measure such as `avg.priority`) and the rest,
 * which are sort keys of records.
 */
export function readGroupOrder(
  sort: readonly string[],
  plan: Omit<AggregatePlan, 'order'>,
): { order: GroupSortKey[]; rest: string[] } {
  const order: GroupSortKey[] = []
  const rest: string[] = []
  for (const text of sort.map((one) => one.trim())) {
    const descending = text.startsWith('-')
    const key = keyOf(descending ? text.slice(1) : text, plan)
    if (key) order.push({ descending, ...key })
    else rest.push(text)
  }
  return { order, rest }
}

function keyOf(
  name: string,
  { groupBy, count, measured }: Omit<AggregatePlan, 'order'>,
): Omit<GroupSortKey, 'descending'> | undefined {
  const grouped = groupBy.find(({ path }) => path === name)
  if (grouped) return { ...orderOf(grouped), read: ({ group }) => scalarOf(grouped, group[name] ?? null) }
  if (name === 'count' && count) return { read: (row) => row.count ?? null }
  const [measure = '', ...path] = name.split('.')
  const wanted = measures.find((one) => one === measure)
  const found = measured.find((one) => one.measure === wanted && one.field.path === path.join('.'))
  return wanted && found ? { ...orderOf(found.field), read: (row) => row[wanted]?.[path.join('.')] ?? null } : undefined
}

function orderOf({ kind }: QueryField): Pick<GroupSortKey, 'compare'> {
  const { compare } = kinds[kind]
  return compare ? { compare } : {}
}

const scalarOf = ({ kind }: QueryField, value: GroupValue): Scalar | null =>
  Array.isArray(value) ? (kinds[kind].whole?.join(value) ?? null) : value

/** Sorts groups; those without a value come last in both directions. */
export function sortGroups(rows: readonly AggregateRow[], order: readonly GroupSortKey[]): AggregateRow[] {
  const valuesOf = (row: AggregateRow) => order.map(({ read }) => read(row) ?? undefined)
  return rows.toSorted((a, b) => compareSortValues(order, valuesOf(a), valuesOf(b)))
}
