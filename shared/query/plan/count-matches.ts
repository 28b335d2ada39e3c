import { intersect, type Bounds } from '../access/key-bounds.ts'
import { spaceOf, type SlotSpace } from '../access/key-space.ts'
import { beyond } from '../access/reader.ts'
import { splitRange } from '../access/split-range.ts'
import { conjunctsOf } from '../grammar/expression.ts'
import type { PlanContext } from './plan-context.ts'
import { everyId, type Source } from './sources.ts'

export interface Total {
  readonly count: number
  readonly isExact: boolean
}

/** Whether every record of the table is in the list. */
export const isWholeTable = ({ filter, search }: Pick<PlanContext, 'filter' | 'search'>): boolean =>
  conjunctsOf(filter).length === 0 && !search

/** The slot range that has exactly the records of the list; undefined when there is none. */
export function exactSlot({
  sources: { sources, rest, idRange },
  search,
}: PlanContext): Extract<Source, { kind: 'slot' }> | undefined {
  const [only, ...others] = sources
  const isAll = others.length === 0 && rest.length === 0 && idRange.from === everyId.from && idRange.to === everyId.to
  return only?.kind === 'slot' && only.exact && isAll && !search ? only : undefined
}

/** Whether a table is so small that its records are counted directly. */
export const isSmallTable = async ({ sequence, limits }: Pick<PlanContext, 'sequence' | 'limits'>): Promise<boolean> =>
  (await sequence()).live <= limits.smallTable

/** The total from a value counter, for a filter of one value; undefined without a counter, or for a small table. */
export async function counterTotal(run: PlanContext): Promise<Total | undefined> {
  const { counters } = run.dependencies
  const [part, ...others] = conjunctsOf(run.filter)
  if (!counters || !part || others.length > 0 || run.search) return undefined
  const isNegated = part.kind === 'not'
  const test = isNegated ? part.of : part
  if (test.kind !== 'test' || test.field.via || test.field.isStandard) return undefined
  const wanted =
    isNegated && test.predicate.op === 'present'
      ? null
      : !isNegated && test.predicate.op === 'equals'
        ? test.predicate.value
        : undefined
  if (wanted === undefined || (await isSmallTable(run))) return undefined
  const count = await counters.count(run.tenant, run.table, test.field.name, wanted)
  return count === undefined ? undefined : { count, isExact: true }
}

/** Counts the keys of ranges of a slot in parallel. */
export async function countKeys(
  run: PlanContext,
  { field, bounds }: Extract<Source, { kind: 'slot' }>,
): Promise<Total> {
  const space = spaceOf(run.tenant, run.table.name, field) as SlotSpace
  const counted = await Promise.all(bounds.map((one) => countStretch(run, space, one)))
  const count = counted.reduce((sum, one) => sum + one.count, 0)
  return { count, isExact: count <= run.limits.maxCounted && counted.every(({ last }) => last === undefined) }
}

async function countStretch(
  run: PlanContext,
  space: SlotSpace,
  bounds: Bounds,
): Promise<{ count: number; last?: string }> {
  const { splitFrom, maxCounted } = run.limits
  const first = await run.reader.count(space, bounds, splitFrom)
  if (first.last === undefined) return first
  let { count } = first
  let open = intersect(await splitRange(run, space, [bounds]), [beyond(bounds, first.last, false)])
  // Each round counts an equal share in every part, so that little more than `maxCounted` is counted.
  while (open.length > 0 && count <= maxCounted) {
    const share = Math.ceil((maxCounted + 1 - count) / open.length)
    const counted = await Promise.all(open.map((part) => run.reader.count(space, part, share)))
    count = counted.reduce((sum, part) => sum + part.count, count)
    open = open.flatMap((part, index) => {
      const last = counted[index]?.last
      return last === undefined ? [] : [beyond(part, last, false)]
    })
  }
  return { count, ...(open.length > 0 && { last: open[0]?.from }) }
}
