import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { chunkIds } from '../../columns/chunk.ts'
import { type Compare, compareScalars, type Scalar } from '../../columns/scalar.ts'
import { codesByKey, codesOfBuckets, createPairs, type GroupCodes, ownCodes } from '../evaluate/keys/group-codes.ts'
import type { KeySource } from '../evaluate/keys/key-source.ts'
import { groupCounts, type Measuring, measuring } from '../evaluate/measures.ts'
import { type Evaluation, type EvaluationDependencies, openEvaluation } from '../evaluate/open-evaluation.ts'
import { orderByNumbers } from '../evaluate/order/order-by-numbers.ts'
import { afterwards, type Awaitable, whenReady } from '../evaluate/read-values.ts'
import { selectChunks, type SelectedChunk } from '../evaluate/select.ts'
import type { QueryField } from '../grammar/expression.ts'
import type { AggregatePlan } from '../grammar/parse-aggregate.ts'
import type { Query } from '../grammar/parse-query.ts'
import { kinds } from '../kinds/kinds.ts'
import type { AggregateRow, GroupValue } from '../schema.ts'
import { createCheck } from './check-records.ts'
import { compilePredicate } from './compile-predicate.ts'
import { compareSortValues, sortGroups } from './order.ts'
import { failingRecords } from './remove-doubtful.ts'
import type { Row } from './row.ts'

type AggregateQuery = Query & { readonly aggregate: AggregatePlan }

/** Some groups of a query, and how many it has. */
export interface GroupPage {
  readonly rows: readonly AggregateRow[]
  readonly total: number
}

/** The groups from `offset` on, at most `limit`, in the order of the query, or else by their values. */
export async function aggregate(
  services: EvaluationDependencies,
  tenant: Tenant,
  table: Table,
  query: AggregateQuery,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<GroupPage> {
  const { groupBy, measured, order, having, top } = query.aggregate
  const evaluation = await openEvaluation(services, tenant, table, {
    filter: query.filter,
    search: query.search,
    fields: [...groupBy, ...measured.map(({ field }) => field)],
  })
  const grouping = openGrouping(evaluation, query.aggregate)
  try {
    const mayDoubt = evaluation.leftOut.length > 0
    const doubtful: (Pick<SelectedChunk, 'chunk' | 'doubtful'> & { readonly positions: Uint16Array })[] = []
    for await (const { chunk, positions, doubtful: some } of selectChunks(evaluation, mayDoubt)) {
      if (some?.length) doubtful.push({ chunk, doubtful: some, positions: positions().slice() })
      else {
        const later = grouping.add(chunk, positions())
        if (later) await later
      }
    }
    if (doubtful.length > 0) {
      const check = createCheck(services.store, tenant, table, query)
      const ids = doubtful.flatMap(({ chunk, doubtful: some = [] }) =>
        Array.from(some, (position) => chunk * chunkIds + position),
      )
      const failing = await failingRecords(services.store, { tenant, table, check }, evaluation, ids)
      for (const { chunk, positions } of doubtful)
        await grouping.add(
          chunk,
          positions.filter((position) => !failing.has(chunk * chunkIds + position)),
        )
    }
    const { count: total, range } = grouping.inOrder()
    if (order.length === 0 && !having && !top)
      return { rows: await grouping.rowsOf(await range(offset, offset + limit)), total }
    const groups = await range(0, total)
    const made = await grouping.rowsOf(groups)
    const passes = having && compilePredicate(having)
    const kept = passes ? made.filter((row) => passes(asRecord(row))) : made
    const sorted = order.length > 0 ? sortGroups(kept, order) : kept
    const others = sorted.slice(top ?? sorted.length)
    const groupOf = new Map(made.map((row, index) => [row, groups[index] as number]))
    const rows =
      others.length === 0
        ? sorted
        : [...sorted.slice(0, top), await grouping.othersOf(others.map((row) => groupOf.get(row) as number))]
    return { rows: rows.slice(offset, offset + limit), total: rows.length }
  } finally {
    grouping.release()
    evaluation.release()
  }
}

/** A group in the place of a record: `having` reads measures of it, see `parseHaving`. */
const asRecord = (row: AggregateRow): Row => ({ id: 0, item: row as unknown as Row['item'], data: {} })

/** A missing value comes last. */
function compareValues(a: Scalar | undefined, b: Scalar | undefined, compare: Compare = compareScalars): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  return typeof a === 'number' && typeof b === 'number' ? a - b : compare(a, b)
}

/** The value of a group as its records have it. */
function shownValue({ kind }: QueryField, value: Scalar | undefined): GroupValue {
  const { whole } = kinds[kind]
  return value === undefined ? null : whole ? whole.split(value) : value
}

/** Memory for more groups than this is not worth keeping. */
const maxInScratch = 65_536

/** Groups records chunk by chunk. */
function openGrouping(evaluation: Evaluation, { groupBy, measured, count }: AggregatePlan) {
  const codes = groupBy.map((field): GroupCodes => {
    if (field.bucket) return codesOfBuckets(evaluation.keysOf(field), field.bucket)
    const isOwn = !field.via && (!field.isStandard || field.name === 'created_by' || field.name === 'updated_by')
    return isOwn ? ownCodes(evaluation.view, field) : codesByKey(evaluation.keysOf(field))
  })
  const pairs = codes.slice(1).map(createPairs)
  const ready = (chunk: number): Promise<void> | undefined => evaluation.view.ready(chunk)
  /** Memory of one chunk at a time. */
  const groups = evaluation.scratch.ids(chunkIds).subarray(0, chunkIds)
  const keys = evaluation.scratch.keys(chunkIds).subarray(0, chunkIds)
  const next = new Uint32Array(pairs.length > 0 ? chunkIds : 0)
  const counts = groupCounts()
  const orders = groupBy.map(({ kind }) => kinds[kind].compare)
  const ascending = orders.map((compare) => ({ descending: false, ...(compare && { compare }) }))
  /** By the keys of a field: all that is measured of it is measured at once. */
  const takings = new Map(
    [...Map.groupBy(measured, ({ field }) => evaluation.keysOf(field))].map(([source, some]) => [
      source,
      measuring(
        some.map(({ measure }) => measure),
        source,
      ),
    ]),
  )

  /** How many groups there are so far, with those that lost their records. */
  const groupCount = (): number =>
    codes.length === 0 ? 1 : (pairs.at(-1)?.parts.length ?? codes[0]?.values.count ?? 0)

  /** What is in memory is read at once, as the chunk was selected. */
  function add(chunk: number, positions: Uint16Array): Awaitable<void> {
    groups.fill(0, 0, positions.length)
    return afterwards(readCodes(0, chunk, positions, groups), () => addPair(0, chunk, positions))
  }

  function addPair(index: number, chunk: number, positions: Uint16Array): Awaitable<void> {
    const pair = pairs[index]
    if (!pair) return countAll(chunk, positions)
    return afterwards(readCodes(index + 1, chunk, positions, next), () => {
      pair.join(groups, next, positions.length)
      return addPair(index + 1, chunk, positions)
    })
  }

  /** A reference to a record of the same table may have moved the view to another chunk. */
  const readCodes = (index: number, chunk: number, positions: Uint16Array, out: Uint32Array): Awaitable<void> =>
    whenReady(ready, chunk, () => codes[index]?.read(chunk, positions, out))

  function countAll(chunk: number, positions: Uint16Array): Awaitable<void> {
    counts.add(groups.subarray(0, positions.length), groupCount())
    return addMeasures([...takings], chunk, positions)
  }

  function addMeasures(
    left: readonly (readonly [KeySource, Measuring])[],
    chunk: number,
    positions: Uint16Array,
  ): Awaitable<void> {
    const [first, ...others] = left
    if (!first) return
    const [source, taking] = first
    const taken = whenReady(ready, chunk, () => {
      source.read(chunk, positions, keys, 0)
      return taking.add(chunk, positions, keys, groups.subarray(0, positions.length), groupCount())
    })
    return afterwards(taken, () => addMeasures(others, chunk, positions))
  }

  /** The values of a group's fields, from its number. */
  function valuesOf(group: number): (Scalar | undefined)[] {
    const values: (Scalar | undefined)[] = []
    let code = group
    for (const [index, { parts }] of [...pairs.entries()].toReversed()) {
      const [first, second] = parts[code] as readonly [number, number]
      values.unshift(codes[index + 1]?.values.of(second))
      code = first
    }
    return codes.length === 0 ? values : [codes[0]?.values.of(code), ...values]
  }

  /** The numbers of the groups that have records, by their values: how many, and those at some ranks. */
  function inOrder(): { readonly count: number; range(from: number, to: number): Awaitable<readonly number[]> } {
    // Without `group_by` there is one group of all records, even if there are none.
    if (codes.length === 0) return { count: 1, range: (from, to) => [0].slice(from, to) }
    const used = usedGroups()
    const only = codes.length === 1 ? codes[0]?.values : undefined
    if (only?.isNumeric) {
      const room = used.length <= maxInScratch ? evaluation.scratch.keys(used.length) : new Float64Array(used.length)
      return { count: used.length, range: orderByNumbers(used, only, room) }
    }
    const sorted = only
      ? [...used].sort((a, b) => compareValues(only.of(a), only.of(b), orders[0]))
      : sortedPairs([...used])
    return { count: sorted.length, range: (from, to) => sorted.slice(from, to) }
  }

  /** After the last chunk, whose memory it uses. */
  function usedGroups(): Uint32Array {
    const all = groupCount()
    const used = all <= maxInScratch ? evaluation.scratch.ids(all) : new Uint32Array(all)
    let found = 0
    for (let group = 0; group < all; group += 1) if (counts.of(group) > 0) used[found++] = group
    return used.subarray(0, found)
  }

  function sortedPairs(used: number[]): number[] {
    const values = new Map(used.map((group) => [group, valuesOf(group)]))
    return used.sort((a, b) => compareSortValues(ascending, values.get(a) ?? [], values.get(b) ?? []))
  }

  async function rowsOf(some: readonly number[]): Promise<AggregateRow[]> {
    const rows = some.map((group): Record<string, unknown> => {
      const values = valuesOf(group)
      return {
        group: Object.fromEntries(groupBy.map((field, index) => [field.path, shownValue(field, values[index])])),
        ...(count && { count: counts.of(group) }),
      }
    })
    for (const { measure, field } of measured) {
      const results = await takings.get(evaluation.keysOf(field))?.resultsOf(measure, some)
      for (const [index, row] of rows.entries())
        row[measure] = { ...(row[measure] as object | undefined), [field.path]: results?.[index] }
    }
    return rows as unknown as AggregateRow[]
  }

  /** One row for all of some groups. */
  async function othersOf(some: readonly number[]): Promise<AggregateRow> {
    const merged = new Map<string, Record<string, unknown>>()
    for (const { measure, field } of measured) {
      const result = await takings.get(evaluation.keysOf(field))?.mergedOf(measure, some)
      merged.set(measure, { ...merged.get(measure), [field.path]: result })
    }
    return {
      group: {},
      others: some.length,
      ...(count && { count: some.reduce((sum, group) => sum + counts.of(group), 0) }),
      ...Object.fromEntries(merged),
    }
  }

  function release(): void {
    for (const one of [counts, ...codes, ...takings.values()]) one.release()
  }

  return { add, inOrder, rowsOf, othersOf, release }
}
