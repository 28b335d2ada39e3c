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

/** The one slot that holds exactly the records of the list. */
export function exactSlot({
  sources: { sources, rest, idRange },
  search,
}: PlanContext): Extract<Source, { kind: 'slot' }> | undefined {
  const [only, ...others] = sources
  const isAll = others.length === 0 && rest.length === 0 && idRange.from === everyId.from && idRange.to === everyId.to
  return only?.kind === 'slot' && only.exact && isAll && !search ? only : undefined
}

/** Whether a table is so small that what is in it is counted rather than looked up. */
export const isCountedFresh = async ({
  sequence,
  limits,
}: Pick<PlanContext, 'sequence' | 'limits'>): Promise<boolean> => (await sequence()).live <= limits.countedFresh

/** The total that a counter keeps for a filter of one value; undefined where none does, or where counting is as cheap. */
export async function keptTotal(run: PlanContext): Promise<Total | undefined> {
  const { counters } = run.dependencies
  const [part, ...others] = conjunctsOf(run.filter)
  if (!counters || !part || others.length > 0 || run.search) return undefined
  const isDenied = part.kind === 'not'
  const test = isDenied ? part.of : part
  if (test.kind !== 'test' || test.field.via || test.field.isStandard) return undefined
  const wanted =
    isDenied && test.predicate.op === 'present'
      ? null
      : !isDenied && test.predicate.op === 'equals'
        ? test.predicate.value
        : undefined
  if (wanted === undefined || (await isCountedFresh(run))) return undefined
  const count = await counters.count(run.tenant, run.table, test.field.name, wanted)
  return count === undefined ? undefined : { count, isExact: true }
}

/** Counts the keys of a slot, its stretches side by side. */
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
  const { partedFrom, maxCounted } = run.limits
  const first = await run.reader.count(space, bounds, partedFrom)
  if (first.last === undefined) return first
  let { count } = first
  let open = intersect(await splitRange(run, space, [bounds]), [beyond(bounds, first.last, false)])
  // Every part goes on by its share, so that little more is counted than anybody asks for.
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
