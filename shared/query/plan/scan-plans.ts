import { candidatesOf } from '../access/index-scan.ts'
import { intersectIndex } from '../access/intersect-index.ts'
import type { Candidate } from '../access/key-space.ts'
import { candidatesFrom, orderedKeys, type OrderedKeys } from '../access/ordered-keys.ts'
import type { Total } from './count-matches.ts'
import { fetchPage, type FetchedPage, type FetchOptions } from './fetch-page.ts'
import type { PlanContext } from './plan-context.ts'
import type { Source } from './sources.ts'

/** A page and the plan that read it. */
export interface PlannedPage {
  readonly fetched: FetchedPage
  /** undefined when it was not asked for. */
  readonly total: Total | undefined
  readonly plan: string
}

/** A page that needs no reading. */
export const none: FetchedPage = {
  rows: [],
  from: [],
  hasMore: false,
  isTooLarge: false,
  gaveUp: false,
  lastChecked: undefined,
}

type SlotSource = Extract<Source, { kind: 'slot' }>

/** Prefetched keys per row of the page while the total is being read: enough when every fifth record matches. */
const prefetchFactor = 5
const maxPrefetch = 130

/** Prefetched keys while the ids of a filter are being listed: enough when every tenth record matches. */
const listPrefetch = 500

/** The start of a scan in the list's order that a plan may need. */
export interface Prefetch {
  readonly candidates: AsyncIterable<readonly Candidate[]>
  /** How many keys were requested. */
  readonly keys: number
}

/** Starts the scan that `scanIfNear` may need; undefined when it would be long. */
export function prefetchScan(run: PlanContext, ordered: OrderedKeys): Prefetch | undefined {
  const keys = prefetchFactor * (run.offset + run.limit + 1)
  return keys > maxPrefetch ? undefined : prefetch(run, ordered, keys)
}

/** Starts the scan that a long list of ids may need. */
export const prefetchForLists = (run: PlanContext, ordered: OrderedKeys | undefined): Prefetch | undefined =>
  ordered && prefetch(run, ordered, listPrefetch)

const prefetch = (run: PlanContext, ordered: OrderedKeys, keys: number): Prefetch | undefined =>
  ordered.kind !== 'straight' || isTable(ordered) || run.position
    ? undefined
    : { candidates: started(candidatesOf(run.reader, ordered.scan, keys)), keys }

/**
 * Where many records match the one value of `slot`, the page is found sooner by walking in its order than by listing
 * every match. `prefetched`: the scan, if it was begun.
 */
export async function scanIfNear(
  run: PlanContext,
  ordered: OrderedKeys,
  slot: SlotSource,
  total: Total,
  prefetched?: Prefetch,
): Promise<PlannedPage | undefined> {
  const { live } = await run.sequence()
  const offset = skipOf(run)
  const share = Math.min(1, total.count / Math.max(1, live))
  const expectedReads = Math.ceil((offset + run.limit) / Math.max(share, 1 / Math.max(1, live)))
  if (expectedReads > Math.min(run.limits.maxScanned, total.count)) return undefined
  // The rows before the page are read as well and dropped.
  const wider = { ...run, offset: 0, limit: offset + run.limit }
  const expected = Math.ceil(expectedReads * 1.3) + 5
  const candidates =
    prefetched?.candidates ?? (await candidatesFrom(wider, ordered, undefined, { expected })).candidates
  const intersection =
    ordered.kind === 'straight' && !isTable(ordered)
      ? intersectIndex(run, slot, share, run.limits.maxScanned)
      : undefined
  const fetched = await fetchPage(wider, intersection ? intersection.filtered(candidates) : candidates, {
    skip: 0,
    isExact: false,
    most: run.limits.maxScanned,
    expected: () => (intersection?.isIntersected ? 0 : expected),
  })
  if (fetched.gaveUp || (fetched.isTooLarge && offset > 0)) return undefined
  const how = intersection?.isIntersected ? `narrowed by keys of ${slot.field.path}, ` : ''
  return { fetched: without(fetched, offset), total, plan: `${planOf(ordered)}, ${how}each record checked` }
}

/** Requests the first batch at once. */
function started<T>(source: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = source[Symbol.asyncIterator]()
  let first: Promise<IteratorResult<T>> | undefined = iterator.next()
  // A failure is thrown where the batch is used.
  first.catch(() => undefined)
  const next = (): Promise<IteratorResult<T>> => {
    const waiting = first ?? iterator.next()
    first = undefined
    return waiting
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

const without = (fetched: FetchedPage, offset: number): FetchedPage => ({
  ...fetched,
  rows: fetched.rows.slice(offset),
  from: fetched.from.slice(offset),
})

/** Scans in the order of the list and keeps what matches: for cursors, which have the total, and for jobs. */
export async function scanAndCheck(
  run: PlanContext,
  ordered: OrderedKeys,
  carried: Total | undefined,
): Promise<PlannedPage> {
  const isExact = run.sources.rest.length === 0 && run.sources.sources.length === 0 && !run.search && isTable(ordered)
  const total = carried ?? (run.wantsTotal ? await countIds(run) : undefined)
  const offset = isExact ? 0 : skipOf(run)
  const wider = isExact ? run : { ...run, offset: 0, limit: offset + run.limit }
  const fetched = await fetchOrdered(wider, ordered, total?.isExact ? total.count : undefined, {
    isExact,
    most: run.isUnbounded ? undefined : run.limits.maxRead,
  })
  return {
    fetched: without(fetched, offset),
    total,
    plan: isExact ? planOf(ordered) : `${planOf(ordered)}, each record checked`,
  }
}

/** Whether the keys are the table's own, whose scan reads the records themselves. */
export const isTable = (keys: OrderedKeys): boolean => keys.kind === 'straight' && keys.scan.space.index === undefined

/** How many records the filter's range of ids has. */
async function countIds(run: PlanContext): Promise<Total> {
  const keys = orderedKeys({ ...run, order: [{ ...(run.order.at(-1) as PlanContext['order'][number]) }] })
  const bounds = keys?.kind === 'straight' ? keys.scan.ranges[0]?.bounds : undefined
  const { count, last } = bounds
    ? await run.reader.count(run.reader.ids, bounds, run.limits.maxCounted + 1)
    : { count: 0 }
  return { count, isExact: last === undefined }
}

/** Reads a page from ordered keys. */
export async function fetchOrdered(
  run: PlanContext,
  keys: OrderedKeys,
  total: number | undefined,
  options: Omit<FetchOptions, 'skip' | 'expected'>,
): Promise<FetchedPage> {
  const { candidates, skip } = await candidatesFrom(run, keys, total)
  return fetchPage(run, candidates, { ...options, skip })
}

/** Reads a page of the records with these ids from ordered keys, probably within the first `expected` keys. */
export async function fetchAmong(
  run: PlanContext,
  keys: OrderedKeys,
  ids: ReadonlySet<number>,
  expected: number,
  prefetched?: Prefetch,
): Promise<FetchedPage> {
  const keep = (id: number): boolean => ids.has(id)
  const { candidates, skip } =
    prefetched && prefetched.keys >= expected
      ? { candidates: prefetched.candidates, skip: run.offset }
      : await candidatesFrom(run, keys, undefined, { keep, expected })
  return fetchPage(run, kept(candidates, keep), { skip, isExact: true })
}

async function* kept(
  batches: AsyncIterable<readonly Candidate[]>,
  keep: (id: number) => boolean,
): AsyncGenerator<readonly Candidate[]> {
  for await (const batch of batches) yield batch.filter(({ id }) => keep(id))
}

/** The rows before the page; none with a cursor, which starts after them. */
export const skipOf = (run: PlanContext): number => (run.position ? 0 : run.offset)
export const planOf = (keys: OrderedKeys): string =>
  keys.kind === 'runs' ? `runs of ${keys.space.name}` : `keys of ${keys.scan.space.name}`
