import type { PlanContext } from '../plan/plan-context.ts'
import type { Source } from '../plan/sources.ts'
import type { Bounds } from './key-bounds.ts'
import { spaceOf, type SlotSpace } from './key-space.ts'
import { beyond } from './reader.ts'
import { splitRange } from './split-range.ts'

export interface IdList {
  readonly ids: ReadonlySet<number>
  /** False: the source has more ids. */
  readonly isComplete: boolean
  readonly isExact: boolean
}

/** How many ranges are read in parallel; a list of values has one range each. */
const atOnce = 25

/** The ids of a source: all, or at least `most`. */
export async function listIds(run: PlanContext, source: Source, most: number): Promise<IdList> {
  switch (source.kind) {
    case 'ids':
      return { ids: new Set(source.ids), isComplete: true, isExact: false }
    case 'union': {
      const parts = await Promise.all(source.of.map((part) => listIds(run, part, most)))
      const ids = new Set(parts.flatMap((part) => [...part.ids]))
      return { ids, isComplete: parts.every(({ isComplete }) => isComplete), isExact: source.exact }
    }
    case 'slot': {
      const ids = new Set<number>()
      const space = spaceOf(run.tenant, run.table.name, source.field) as SlotSpace
      const ranges = most > run.limits.splitFrom ? await splitRange(run, space, source.bounds) : source.bounds
      let isComplete = true
      for (let start = 0; start < ranges.length && isComplete; start += atOnce) {
        const whole = await Promise.all(
          ranges.slice(start, start + atOnce).map((bounds) => addIds(run, space, bounds, ids, most)),
        )
        isComplete = whole.every(Boolean)
      }
      return { ids, isComplete, isExact: source.exact }
    }
  }
}

/** Whether the range was read to its end before the set had `most` ids. */
async function addIds(
  run: PlanContext,
  space: SlotSpace,
  bounds: Bounds,
  ids: Set<number>,
  most: number,
): Promise<boolean> {
  for (let left: Bounds | undefined = bounds; left;) {
    if (ids.size >= most) return false
    const { ids: found, last } = await run.reader.idPage(space, left, most - ids.size)
    for (const id of found) ids.add(id)
    left = last === undefined ? undefined : beyond(left, last, false)
  }
  return true
}

/** The intersection of the lists. */
export function commonIds(lists: readonly IdList[]): Set<number> {
  const [shortest, ...others] = lists.toSorted((a, b) => a.ids.size - b.ids.size)
  return new Set([...(shortest?.ids ?? [])].filter((id) => others.every(({ ids }) => ids.has(id))))
}
