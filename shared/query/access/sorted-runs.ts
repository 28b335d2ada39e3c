import { Invalid } from '../../kernel/faults.ts'
import { cutToBytes, valueOfSlotKey } from '../../store/slots.ts'
import { after, type CursorPosition } from '../plan/cursor.ts'
import { compareSortValues, sortValues, type SortKey } from '../plan/order.ts'
import { candidatesOf, isWhole, keyAt, likenessOf, scanByValue, scanFrom, continueScan } from './index-scan.ts'
import { intersect, keysBeginning, keysOf, type Bounds } from './key-bounds.ts'
import type { Candidate, KeySpace } from './key-space.ts'
import { afterKey, beyond, type Reader } from './reader.ts'
import type { Row } from './row.ts'
import { certainBytes } from './slot-range.ts'

const keysAtOnce = 1000

export interface RunScan {
  readonly space: KeySpace
  readonly bounds: readonly Bounds[]
  readonly order: readonly SortKey[]
  readonly position?: CursorPosition
  readonly first: number
  /** The most records with the same first sort value; they are sorted in memory. */
  readonly maxRun: number
  /** Candidates for which this is false are not read. */
  readonly keep: (id: number) => boolean
  load(ids: readonly number[]): Promise<readonly (Row | undefined)[]>
}

/**
 * Scans a slot in an order that its keys alone do not have: ids against the direction of the values, further sort keys,
 * or long text that the index truncates. Keys that the index cannot order form a run; each run is sorted in memory.
 */
export async function* runsOf(reader: Reader, scan: RunScan): AsyncGenerator<readonly Candidate[]> {
  const { space, order, position } = scan
  const [byValue, byId] = [order[0] as SortKey, order.at(-1) as SortKey]
  const isPlain = order.length === 2
  const positionKey = position && keyAt(position.values[0] as string, position.id)
  const positionKeys = positionKey === undefined ? undefined : alike(positionKey)
  const holdsPosition = (key: string): boolean =>
    positionKeys !== undefined && intersect([positionKeys], [{ from: key, to: afterKey(key) }]).length > 0
  const whole = scanByValue(space, scan.bounds, byValue.descending)
  const { ranges } = positionKeys ? scanFrom(whole, positionKeys) : whole
  for (const { bounds, reverse } of ranges) {
    for (let left: Bounds | undefined = bounds; left;) {
      const { found, last } = await reader.page(space, left, { reverse, limit: Math.min(scan.first + 1, keysAtOnce) })
      const runs = split(found)
      const open = last === undefined ? undefined : runs.pop()
      for (const run of runs) yield await sorted(run)
      if (open === undefined || last === undefined) break
      const key = open[0]?.sort as string
      if (isPlain && isWhole(key)) {
        const ids = { space, ranges: [{ bounds: alike(key), reverse: byId.descending }] }
        yield* candidatesOf(
          reader,
          positionKey !== undefined && holdsPosition(key) ? continueScan(ids, positionKey) : ids,
          scan.first,
        )
      } else {
        yield await sorted([...open, ...(await restOf(key, beyond(left, last, reverse), reverse, open.length))])
      }
      left = reverse ? { from: left.from, to: alike(key).from } : { from: alike(key).to, to: left.to }
      if (intersect([left], [bounds]).length === 0) left = undefined
    }
  }

  /** The remaining keys of a run. */
  async function restOf(key: string, bounds: Bounds, reverse: boolean, known: number): Promise<Candidate[]> {
    const rest: Candidate[] = []
    for (const one of intersect([bounds], [alike(key)])) {
      for await (const batch of candidatesOf(reader, { space, ranges: [{ bounds: one, reverse }] }, keysAtOnce)) {
        rest.push(...batch)
        if (known + rest.length > scan.maxRun) throw tooManyAlike(byValue, scan.maxRun)
      }
    }
    return rest
  }

  /** A run in its final order, without the records before the cursor. */
  async function sorted(run: readonly Candidate[]): Promise<readonly Candidate[]> {
    const key = run[0]?.sort as string
    const kept = run.filter(({ id }) => scan.keep(id))
    const isPositionHere = holdsPosition(key)
    if (isPlain && isWhole(key)) {
      const ascending = kept.toSorted((a, b) => (byId.descending ? b.id - a.id : a.id - b.id))
      return isPositionHere && position
        ? ascending.filter(({ id }) => (byId.descending ? id < position.id : id > position.id))
        : ascending
    }
    if (kept.length <= 1 && !isPositionHere) return kept
    const rows = await scan.load(kept.map(({ id }) => id))
    const entries = kept.flatMap((candidate, index) => {
      const row = rows[index]
      return row ? [{ ...candidate, row, values: sortValues(order, row) }] : []
    })
    entries.sort((a, b) => compareSortValues(order, a.values, b.values))
    return isPositionHere ? after(entries, position, order) : entries
  }
}

/** Splits ordered candidates into runs that the index cannot order. */
function split(found: readonly Candidate[]): Candidate[][] {
  const runs: Candidate[][] = []
  let likeness: string | undefined
  for (const candidate of found) {
    const next = likenessOf(candidate.sort)
    if (next === likeness) runs.at(-1)?.push(candidate)
    else runs.push([candidate])
    likeness = next
  }
  return runs
}

/** The range of the keys whose values the index cannot distinguish from that of this key. */
function alike(key: string): Bounds {
  const value = valueOfSlotKey(key)
  return isWhole(key) ? keysOf(value) : keysBeginning(cutToBytes(value, certainBytes))
}

const tooManyAlike = ({ field }: SortKey, maxRun: number): Invalid =>
  new Invalid(
    {
      sort: [
        `More than ${maxRun} records have the same ${field.path}: sorting them by further keys would read them all. Filter the list, or sort by ${field.path} alone.`,
      ],
    },
    { code: 'query_too_expensive' },
  )
