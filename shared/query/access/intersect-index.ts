import { idText } from '../../store/keys/key.ts'
import type { PlanContext } from '../plan/plan-context.ts'
import type { Source } from '../plan/sources.ts'
import { isOneValue, type Bounds } from './key-bounds.ts'
import { spaceOf, type Candidate, type SlotSpace } from './key-space.ts'

type SlotSource = Extract<Source, { kind: 'slot' }>

/** Costs relative to reading one record: of a key, and of a query for some keys. */
const keyCost = 1 / 8
const queryCost = 10
const maxQueries = 4
const keysAtOnce = 1000

/**
 * Filters candidates by the keys of the filter's one value, without reading their records. Neighbours in a list often
 * have ids close together, so a few ranges of keys suffice. Passes candidates unfiltered when that is cheaper (`share`
 * of all records match), and after `most` candidates.
 */
export function intersectIndex(run: PlanContext, { field, bounds }: SlotSource, share: number, most: number) {
  const [only, ...others] = bounds
  const space = spaceOf(run.tenant, run.table.name, field) as SlotSpace
  const progress = { isIntersected: false, filtered }
  let scanned = 0

  async function* filtered(batches: AsyncIterable<readonly Candidate[]>): AsyncGenerator<readonly Candidate[]> {
    for await (const batch of batches) {
      scanned += batch.length
      const groups =
        only && others.length === 0 && isOneValue(only) && scanned <= most ? groupIds(batch, share) : undefined
      const ids = groups && (await idsAmong(only as Bounds, groups))
      progress.isIntersected ||= ids !== undefined
      yield ids ? batch.filter(({ id }) => ids.has(id)) : batch
    }
  }

  /** The ids of the value in these ranges; undefined when they are more than one call answers. */
  async function idsAmong({ from }: Bounds, groups: readonly IdGroup[]): Promise<ReadonlySet<number> | undefined> {
    const pages = await Promise.all(
      groups.map(({ first, last }) =>
        run.reader.idPage(space, { from: `${from}${idText(first)}`, to: `${from}${idText(last)}~` }, keysAtOnce),
      ),
    )
    return pages.some(({ last }) => last !== undefined) ? undefined : new Set(pages.flatMap(({ ids }) => ids))
  }

  return progress
}

interface IdGroup {
  readonly first: number
  readonly last: number
}

/** The cheapest few ranges of ids that contain all these; undefined when reading the records costs less. */
export function groupIds(
  candidates: readonly { readonly id: number }[],
  share: number,
): readonly IdGroup[] | undefined {
  const ids = candidates.map(({ id }) => id).sort((a, b) => a - b)
  const gaps = ids
    .slice(1)
    .map((id, index) => ({ at: index + 1, width: id - (ids[index] as number) }))
    .sort((a, b) => b.width - a.width)
  let width = (ids.at(-1) ?? 0) - (ids[0] ?? 0) + 1
  let best = ids.length * (1 - share)
  let cuts: readonly number[] | undefined
  for (let queries = 1; queries <= maxQueries; queries += 1) {
    const cost = queries * queryCost + width * share * keyCost
    if (cost < best) {
      best = cost
      cuts = gaps.slice(0, queries - 1).map(({ at }) => at)
    }
    width -= gaps[queries - 1]?.width ?? 0
  }
  if (!cuts) return undefined
  const starts = [0, ...cuts.toSorted((a, b) => a - b)]
  return starts.map((start, index) => ({
    first: ids[start] as number,
    last: ids[(starts[index + 1] ?? ids.length) - 1] as number,
  }))
}
