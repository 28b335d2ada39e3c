import type { Scalar } from '../../columns/scalar.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import { measures, type AggregatePlan, type GroupSortKey } from '../grammar/parse-aggregate.ts'
import { kinds } from '../kinds/kinds.ts'
import type { AggregateRow, GroupValue } from '../schema.ts'
import { compareSortValues } from './order.ts'

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
