import { idText } from '../store/keys.ts'
import { spaceOf, type KeySpace } from './key-space.ts'
import { isOneValue, type Bounds } from './key-bounds.ts'
import type { Run } from './run.ts'
import type { Source } from './sources.ts'
import { beyond } from './reader.ts'

export interface IdList {
  readonly ids: ReadonlySet<number>
  /** False: there are more than were asked for. */
  readonly isComplete: boolean
  readonly isExact: boolean
}

/** Stretches read side by side; a list of values has one each. */
const atOnce = 25

/** The ids a source holds, as many as `most` and no fewer unless that is all. */
export async function listIds(run: Run, source: Source, most: number): Promise<IdList> {
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
      const space = spaceOf(run.tenant, run.table.name, source.field)
      const stretches = await inParts(run, source.bounds, most)
      let isComplete = true
      for (let start = 0; start < stretches.length && isComplete; start += atOnce) {
        const whole = await Promise.all(stretches.slice(start, start + atOnce).map((bounds) => addIds(run, space, bounds, ids, most)))
        isComplete = whole.every(Boolean)
      }
      return { ids, isComplete, isExact: source.exact }
    }
  }
}

const maxParts = 10

/** The keys of one value stand in the order of ids: where many are asked for, they are read in parts side by side. */
async function inParts(run: Run, bounds: readonly Bounds[], most: number): Promise<readonly Bounds[]> {
  if (most <= run.limits.partedFrom || !bounds.some(isOneValue)) return bounds
  const { last } = await run.sequence()
  const count = Math.min(maxParts, Math.ceil(last / run.limits.partIds))
  const width = Math.ceil(last / Math.max(1, count))
  return bounds.flatMap((one) => {
    if (count <= 1 || !isOneValue(one)) return [one]
    const at = (part: number): string => `${one.from}${idText(part * width)}~`
    return Array.from({ length: count }, (_, part) => ({ from: part === 0 ? one.from : at(part), to: part === count - 1 ? one.to : at(part + 1) }))
  })
}

/** Whether the stretch was read to its end before the set held `most`. */
async function addIds(run: Run, space: KeySpace, bounds: Bounds, ids: Set<number>, most: number): Promise<boolean> {
  for (let left: Bounds | undefined = bounds; left; ) {
    if (ids.size >= most) return false
    const { ids: found, last } = await run.reader.idPage(space as KeySpace & { index: string }, left, most - ids.size)
    for (const id of found) ids.add(id)
    left = last === undefined ? undefined : beyond(left, last, false)
  }
  return true
}

/** What all lists have in common, the shortest first. */
export function commonIds(lists: readonly IdList[]): Set<number> {
  const [shortest, ...others] = lists.toSorted((a, b) => a.ids.size - b.ids.size)
  return new Set([...(shortest?.ids ?? [])].filter((id) => others.every(({ ids }) => ids.has(id))))
}
