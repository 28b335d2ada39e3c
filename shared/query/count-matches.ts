import { conjunctsOf } from './expression.ts'
import { spaceOf } from './key-space.ts'
import { isOneValue, type Bounds } from './key-bounds.ts'
import type { Run } from './run.ts'
import { everyId, type Source } from './sources.ts'

export interface Total {
  readonly count: number
  readonly isExact: boolean
}

/** Whether every record of the table is in the list. */
export const isWholeTable = ({ filter, search }: Pick<Run, 'filter' | 'search'>): boolean => conjunctsOf(filter).length === 0 && !search

/** The one slot that holds exactly the records of the list. */
export function exactSlot({ sources: { sources, rest, idRange }, search }: Run): Extract<Source, { kind: 'slot' }> | undefined {
  const [only, ...others] = sources
  const isAll = others.length === 0 && rest.length === 0 && idRange.from === everyId.from && idRange.to === everyId.to
  return only?.kind === 'slot' && only.exact && isAll && !search ? only : undefined
}

/** Whether a table is so small that what is in it is counted rather than looked up. */
export const isCountedFresh = async ({ sequence, limits }: Pick<Run, 'sequence' | 'limits'>): Promise<boolean> => (await sequence()).live <= limits.countedFresh

/** The total that a counter keeps for a filter of one value; undefined where none does, or where counting is as cheap. */
export async function keptTotal(run: Run): Promise<Total | undefined> {
  const { counters } = run.dependencies
  const [part, ...others] = conjunctsOf(run.filter)
  if (!counters || !part || others.length > 0 || run.search) return undefined
  const isDenied = part.kind === 'not'
  const test = isDenied ? part.of : part
  if (test.kind !== 'test' || test.field.via || test.field.isStandard) return undefined
  const wanted = isDenied && test.predicate.op === 'present' ? null : !isDenied && test.predicate.op === 'equals' ? test.predicate.value : undefined
  if (wanted === undefined || (await isCountedFresh(run))) return undefined
  const count = await counters.count(run.tenant, run.table, test.field.name, wanted)
  return count === undefined ? undefined : { count, isExact: true }
}

/** Counts the keys of a slot, its stretches side by side. */
export async function countKeys(run: Run, { field, bounds }: Extract<Source, { kind: 'slot' }>): Promise<Total> {
  const space = spaceOf(run.tenant, run.table.name, field)
  const counted = await Promise.all(bounds.map((one) => countStretch(run, space, one)))
  const count = counted.reduce((sum, one) => sum + one.count, 0)
  return { count, isExact: count <= run.limits.maxCounted && counted.every(({ last }) => last === undefined) }
}

/** A long stretch of one value is counted in so many parts, side by side: ids say where the parts begin. */
const parts = 8

async function countStretch(run: Run, space: ReturnType<typeof spaceOf>, bounds: Bounds): Promise<{ count: number; last?: string }> {
  const { partedFrom, maxCounted } = run.limits
  const first = await run.reader.count(space, bounds, isOneValue(bounds) ? partedFrom : maxCounted + 1)
  if (first.last === undefined || !isOneValue(bounds)) return first
  const { last: lastId } = await run.sequence()
  const start = Number(first.last.slice(-12))
  const width = Math.max(1, Math.ceil((lastId - start) / parts))
  const key = (id: number): string => `${bounds.from}${String(id).padStart(12, '0')}~`
  const counted = await Promise.all(
    Array.from({ length: parts }, (_, part) => {
      const stretch = { from: key(start + part * width), to: part === parts - 1 ? bounds.to : key(start + (part + 1) * width) }
      return run.reader.count(space, stretch, maxCounted + 1)
    }),
  )
  return {
    count: counted.reduce((sum, { count }) => sum + count, first.count),
    last: counted.find(({ last }) => last !== undefined)?.last,
  }
}
