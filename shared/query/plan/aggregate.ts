import type { Tenant } from '../../kernel/tenancy.ts'
import type { Sequence } from '../../store/sequence.ts'
import { missingValue, numberOf, valueOfSlotKey } from '../../store/slots.ts'
import type { Table } from '../../tables/service.ts'
import { everyEntry } from '../access/every-entry.ts'
import { candidatesOf, scanByValue } from '../access/index-scan.ts'
import { allKeys } from '../access/key-bounds.ts'
import { spaceOf } from '../access/key-space.ts'
import type { Entry } from '../access/table-scan.ts'
import type { QueryField } from '../grammar/expression-types.ts'
import { idField } from '../grammar/field.ts'
import type { AggregatePlan } from '../grammar/parse-aggregate.ts'
import type { Query } from '../grammar/parse-query.ts'
import type { AggregateRow } from '../schema.ts'
import { exactSlot, isSmallTable, isWholeTable } from './count-matches.ts'
import { sortGroups } from './group-order.ts'
import { compareSortValues, type SortKey, type SortValue } from './order.ts'
import type { QueryDependencies, PlanContext } from './plan-context.ts'
import { preparePlan } from './read-page.ts'

/** The groups of a query in its order, or else by their values. Throws Invalid when it needs an index. */
export async function aggregate(
  deps: QueryDependencies,
  tenant: Tenant,
  table: Table,
  query: Query & { readonly aggregate: AggregatePlan },
  sequence?: Sequence,
): Promise<AggregateRow[]> {
  const groups = await readGroups(deps, tenant, table, query, sequence)
  return query.aggregate.order.length === 0 ? groups : sortGroups(groups, query.aggregate.order)
}

async function readGroups(
  deps: QueryDependencies,
  tenant: Tenant,
  table: Table,
  query: Query & { readonly aggregate: AggregatePlan },
  sequence?: Sequence,
): Promise<AggregateRow[]> {
  const { groupBy, measured, count } = query.aggregate
  const order: SortKey[] = [...groupBy, ...measured.map(({ field }) => field), idField].map((field) => ({
    field,
    descending: false,
  }))
  const run = await preparePlan(
    deps,
    tenant,
    table,
    { ...query, order },
    { offset: 0, limit: 1, wantsTotal: false },
    sequence,
  )
  const [only, ...others] = groupBy
  const isPlainCount = only !== undefined && others.length === 0 && measured.length === 0 && count
  const counted = isPlainCount ? ((await fromCounters(run, only)) ?? (await fromKeys(run, only))) : undefined
  if (counted)
    return counted
      .sort((a, b) => compareSortValues([{ descending: false }], [a.value], [b.value]))
      .map(({ value, count: n }) => ({ group: { [(only as QueryField).path]: value ?? null }, count: n }))
  return groupEntries(await everyEntry(run), query.aggregate)
}

interface ValueCount {
  readonly value: SortValue
  readonly count: number
}

/** Counts from the value counters, which cover whole tables only. */
async function fromCounters(run: PlanContext, field: QueryField): Promise<ValueCount[] | undefined> {
  if (!isWholeTable(run) || field.isStandard || field.via || (await isSmallTable(run))) return undefined
  const counts = await run.dependencies.counters?.all?.(run.tenant, run.table, field.name)
  return counts?.filter(({ count }) => count > 0).map(({ value, count }) => ({ value: value ?? undefined, count }))
}

/** Counts from the keys of a slot, which have the values of its records. */
async function fromKeys(run: PlanContext, field: QueryField): Promise<ValueCount[] | undefined> {
  const source = exactSlot(run)
  const isOwn = source?.field.path === field.path
  if (field.index?.slot === undefined || field.mayBeCut || !(isOwn || (isWholeTable(run) && field.index.coversMissing)))
    return undefined
  const { live } = await run.sequence()
  if (live <= run.limits.readWhole || live > run.limits.maxKeys) return undefined
  const counts = new Map<string, number>()
  const scan = scanByValue(spaceOf(run.tenant, run.table.name, field), isOwn && source ? source.bounds : allKeys, false)
  for await (const batch of candidatesOf(run.reader, scan, 1000)) {
    for (const { sort } of batch) {
      const ordered = valueOfSlotKey(sort)
      counts.set(ordered, (counts.get(ordered) ?? 0) + 1)
    }
  }
  return [...counts].map(([ordered, count]) => ({ value: valueOf(field, ordered), count }))
}

function valueOf({ kind }: QueryField, ordered: string): SortValue {
  if (ordered === missingValue) return undefined
  return kind === 'number' ? numberOf(ordered) : kind === 'boolean' ? ordered === '1' : ordered
}

/** Entries are sorted by the group's values, so the entries of a group are adjacent. */
function groupEntries(entries: readonly Entry[], { groupBy, measured, count }: AggregatePlan): AggregateRow[] {
  const groups: Entry[][] = []
  const keys = groupBy.map((field): SortKey => ({ field, descending: false }))
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last && compareSortValues(keys, (last[0] as Entry).values, entry.values) === 0) last.push(entry)
    else groups.push([entry])
  }
  // Without `group_by` there is one group of all records, even if there are none.
  if (groupBy.length === 0 && groups.length === 0) groups.push([])
  return groups.map((group) => {
    const row: Record<string, unknown> = {
      group: Object.fromEntries(groupBy.map((field, index) => [field.path, group[0]?.values[index] ?? null])),
    }
    if (count) row.count = group.length
    for (const [index, { measure, field }] of measured.entries()) {
      const values = group.flatMap((entry) => entry.values[groupBy.length + index] ?? [])
      const results = (row[measure] ??= {}) as Record<string, unknown>
      results[field.path] = measureOf(measure, field, values)
    }
    return row as AggregateRow
  })
}

/** Ignores records without a value; without any value, `avg`, `min` and `max` are null. */
function measureOf(
  measure: 'sum' | 'avg' | 'min' | 'max',
  field: QueryField,
  values: readonly NonNullable<SortValue>[],
): SortValue | null {
  const sum = (): number => values.reduce<number>((total, value) => total + Number(value), 0)
  if (measure === 'sum') return sum()
  if (values.length === 0) return null
  if (measure === 'avg') return sum() / values.length
  const order = [{ field, descending: measure === 'max' }]
  return values.reduce((best, value) => (compareSortValues(order, [value], [best]) < 0 ? value : best))
}
