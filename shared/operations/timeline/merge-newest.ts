import { byName } from '../../kernel/collections/own-members.ts'

/** An entry of a source. */
export interface Head<Row> {
  /** ISO time. */
  readonly at: string
  /** Where the source starts to read again with this entry. */
  readonly position: string
  readonly row: Row
}

/** Some entries of a source, and where it continues; without `next` there are no more. */
export interface HeadPage<Row> {
  readonly heads: readonly Head<Row>[]
  readonly next?: string
}

/** Reads entries newest first, from a position on (included), or from the newest one. */
export interface NewestFirst<Row> {
  readonly name: string
  read(from: string | undefined, limit: number): Promise<HeadPage<Row>>
}

/** Where a list of several sources continues. */
export interface MergePosition {
  /** The time of the last entry. */
  readonly at: string
  /** The position of each source's next entry, by name; the other sources have ended. */
  readonly starts: Readonly<Record<string, string>>
}

export interface Taken<Source> {
  readonly source: Source
  readonly position: string
  readonly row: unknown
  /** Its time in the merged order. */
  readonly order: string
}

export interface Merged<Source> {
  readonly taken: readonly Taken<Source>[]
  /** Where each source that has more continues behind `taken`. */
  readonly starts: Readonly<Record<string, string>>
}

/** Entries that are read of a source at once. */
const perRead = 25
/** Later than every time. */
const latest = '\u{10FFFF}'

interface Run<Source> {
  readonly source: Source
  readonly heads: { readonly head: Head<unknown>; readonly order: string }[]
  next: string | undefined
  isOpen: boolean
  order: string
}

/**
 * Merges sources by time, newest first, and takes `wanted` entries. Of entries of one time, those of an earlier source
 * come first. Inside a source its own order stays: an entry that claims to be newer than the one before it, because
 * clocks differ, is ordered as if both had the same time.
 *
 * A position holds where each source continues, so every page costs the same, entries that arrive later stand before all
 * positions, and none is skipped or doubled.
 */
export async function mergeNewest<Source extends NewestFirst<unknown>>(
  sources: readonly Source[],
  position: MergePosition | undefined,
  wanted: number,
): Promise<Merged<Source>> {
  const runs = sources.flatMap((source): Run<Source>[] => {
    const next = position?.starts[source.name]
    return position && next === undefined
      ? []
      : [{ source, heads: [], next, isOpen: true, order: position?.at ?? latest }]
  })
  const taken: Taken<Source>[] = []
  await fill(runs, wanted)
  while (taken.length < wanted) {
    const run = newest(runs)
    if (!run) break
    const { head, order } = run.heads.shift() as Run<Source>['heads'][number]
    taken.push({ source: run.source, position: head.position, row: head.row, order })
    await fill(runs, wanted - taken.length)
  }
  const starts = runs.flatMap(({ source, heads, next, isOpen }) => {
    const start = heads[0]?.head.position ?? (isOpen ? next : undefined)
    return start === undefined ? [] : [[source.name, start] as const]
  })
  return { taken, starts: Object.fromEntries(starts) }
}

/** Where the list continues behind the first `count` of the merged entries; undefined at its end. */
export function positionAfter(
  { taken, starts }: Merged<NewestFirst<unknown>>,
  count: number,
): MergePosition | undefined {
  const left: Record<string, string> = byName()
  for (const { source, position } of taken.slice(count)) left[source.name] = left[source.name] ?? position
  const all = { ...starts, ...left }
  const last = taken[count - 1]
  return last && Object.keys(all).length > 0 ? { at: last.order, starts: all } : undefined
}

/** Reads on until every source has an entry at hand or has ended. */
async function fill(runs: readonly Run<NewestFirst<unknown>>[], wanted: number): Promise<void> {
  if (wanted === 0) return
  await Promise.all(
    runs.map(async (run) => {
      while (run.isOpen && run.heads.length === 0) {
        const { heads, next } = await run.source.read(run.next, Math.min(perRead, wanted + 1))
        for (const head of heads) {
          if (head.at < run.order) run.order = head.at
          run.heads.push({ head, order: run.order })
        }
        run.next = next
        run.isOpen = next !== undefined
      }
    }),
  )
}

/** The run whose next entry is the newest, the first one of several. */
function newest<Source>(runs: readonly Run<Source>[]): Run<Source> | undefined {
  let found: Run<Source> | undefined
  for (const run of runs) {
    const order = run.heads[0]?.order
    if (order !== undefined && (found?.heads[0] === undefined || order > found.heads[0].order)) found = run
  }
  return found
}
