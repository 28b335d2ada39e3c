import { measures, type AggregatePlan, type GroupSortKey } from '../grammar/parse-aggregate.ts'
import type { AggregateRow } from '../schema.ts'
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
    const read = readerOf(descending ? text.slice(1) : text, plan)
    if (read) order.push({ descending, read })
    else rest.push(text)
  }
  return { order, rest }
}

function readerOf(
  name: string,
  { groupBy, count, measured }: Omit<AggregatePlan, 'order'>,
): GroupSortKey['read'] | undefined {
  if (groupBy.some(({ path }) => path === name)) return ({ group }) => group[name] ?? null
  if (name === 'count' && count) return (row) => row.count ?? null
  const [measure = '', ...path] = name.split('.')
  const wanted = measures.find((one) => one === measure)
  const isMeasured = measured.some((one) => one.measure === wanted && one.field.path === path.join('.'))
  return wanted && isMeasured ? (row) => row[wanted]?.[path.join('.')] ?? null : undefined
}

/** Sorts groups; those without a value come last in both directions. */
export function sortGroups(rows: readonly AggregateRow[], order: readonly GroupSortKey[]): AggregateRow[] {
  const valuesOf = (row: AggregateRow) => order.map(({ read }) => read(row) ?? undefined)
  return rows.toSorted((a, b) => compareSortValues(order, valuesOf(a), valuesOf(b)))
}
