import { candidatesOf } from '../access/index-scan.ts'
import { intersectIndex } from '../access/intersect-index.ts'
import type { Candidate } from '../access/key-space.ts'
import { candidatesFrom, orderedKeys, type OrderedKeys } from '../access/ordered-keys.ts'
import type { Total } from './count-matches.ts'
import { fetchPage, type FetchedPage, type FetchOptions } from './fetch-page.ts'
import type { PlanContext } from './plan-context.ts'
import type { Source } from './sources.ts'

/** A page and how it was come by. */
export interface PlannedPage {
  readonly taken: FetchedPage
  /** undefined: nobody asked. */
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
  lastLooked: undefined,
}

type SlotSource = Extract<Source, { kind: 'slot' }>

/** Keys of a sort's slot that are read while the total is still on its way: enough where every fifth record matches. */
const aheadFor = 5
const maxAhead = 130

/** Keys of a sort's slot that are read while a filter's thousands are listed: enough where every tenth record matches. */
const aheadOfLists = 500

/** The beginning of a walk that a plan may turn out to need. */
export interface Ahead {
  readonly candidates: AsyncIterable<readonly Candidate[]>
  /** So many keys are on their way. */
  readonly keys: number
}

/** The beginning of the walk that `walkIfNear` may turn out to need; undefined where it would be long. */
export function scanAhead(run: PlanContext, ordered: OrderedKeys): Ahead | undefined {
  const keys = aheadFor * (run.offset + run.limit + 1)
  return keys > maxAhead ? undefined : begin(run, ordered, keys)
}

/** The beginning of the walk that the ids of a long list may turn out to need. */
export const scanAheadOfLists = (run: PlanContext, ordered: OrderedKeys | undefined): Ahead | undefined =>
  ordered && begin(run, ordered, aheadOfLists)

const begin = (run: PlanContext, ordered: OrderedKeys, keys: number): Ahead | undefined =>
  ordered.kind !== 'straight' || isTable(ordered) || run.position
    ? undefined
    : { candidates: started(candidatesOf(run.reader, ordered.walk, keys)), keys }

/**
 * Where many records match the one value of `slot`, the page is found sooner by walking in its order than by listing every
 * match. `ahead`: the walk, if it was begun.
 */
export async function scanIfNear(
  run: PlanContext,
  ordered: OrderedKeys,
  slot: SlotSource,
  total: Total,
  ahead?: Ahead,
): Promise<PlannedPage | undefined> {
  const { live } = await run.sequence()
  const offset = skipOf(run)
  const share = Math.min(1, total.count / Math.max(1, live))
  const looks = Math.ceil((offset + run.limit) / Math.max(share, 1 / Math.max(1, live)))
  if (looks > Math.min(run.limits.maxWalked, total.count)) return undefined
  // Rows before the page are found by looking at them: they are taken along and dropped.
  const wider = { ...run, offset: 0, limit: offset + run.limit }
  const expected = Math.ceil(looks * 1.3) + 5
  const candidates = ahead?.candidates ?? (await candidatesFrom(wider, ordered, undefined, { expected })).candidates
  const narrowing =
    ordered.kind === 'straight' && !isTable(ordered)
      ? intersectIndex(run, slot, share, run.limits.maxWalked)
      : undefined
  const taken = await fetchPage(wider, narrowing ? narrowing.narrowed(candidates) : candidates, {
    skip: 0,
    isExact: false,
    most: run.limits.maxWalked,
    expected: () => (narrowing?.isNarrowed ? 0 : expected),
  })
  if (taken.gaveUp || (taken.isTooLarge && offset > 0)) return undefined
  const how = narrowing?.isNarrowed ? `narrowed by keys of ${slot.field.path}, ` : ''
  return { taken: without(taken, offset), total, plan: `${planOf(ordered)}, ${how}each record checked` }
}

/** The first batch is on its way before anybody asks for it. */
function started<T>(source: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = source[Symbol.asyncIterator]()
  let first: Promise<IteratorResult<T>> | undefined = iterator.next()
  // Should it fail, whoever takes it hears of it.
  first.catch(() => undefined)
  const next = (): Promise<IteratorResult<T>> => {
    const waiting = first ?? iterator.next()
    first = undefined
    return waiting
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

const without = (taken: FetchedPage, offset: number): FetchedPage => ({
  ...taken,
  rows: taken.rows.slice(offset),
  from: taken.from.slice(offset),
})

/** Walks in the order of the list and keeps what matches: for cursors, which know the total, and for jobs. */
export async function scanAndCheck(
  run: PlanContext,
  ordered: OrderedKeys,
  carried: Total | undefined,
): Promise<PlannedPage> {
  const isExact = run.sources.rest.length === 0 && run.sources.sources.length === 0 && !run.search && isTable(ordered)
  const total = carried ?? (run.wantsTotal ? await countIds(run) : undefined)
  const offset = isExact ? 0 : skipOf(run)
  const wider = isExact ? run : { ...run, offset: 0, limit: offset + run.limit }
  const taken = await fetchOrdered(wider, ordered, total?.isExact ? total.count : undefined, {
    isExact,
    most: run.isUnbounded ? undefined : run.limits.maxRead,
  })
  return {
    taken: without(taken, offset),
    total,
    plan: isExact ? planOf(ordered) : `${planOf(ordered)}, each record checked`,
  }
}

/** Whether a walk goes through the records themselves. */
export const isTable = (keys: OrderedKeys): boolean => keys.kind === 'straight' && keys.walk.space.index === undefined

/** How many records a range of ids holds. */
async function countIds(run: PlanContext): Promise<Total> {
  const keys = orderedKeys({ ...run, order: [{ ...(run.order.at(-1) as PlanContext['order'][number]) }] })
  const bounds = keys?.kind === 'straight' ? keys.walk.stretches[0]?.bounds : undefined
  const { count, last } = bounds
    ? await run.reader.count(run.reader.ids, bounds, run.limits.maxCounted + 1)
    : { count: 0 }
  return { count, isExact: last === undefined }
}

/** Takes a page from ordered keys. */
export async function fetchOrdered(
  run: PlanContext,
  keys: OrderedKeys,
  total: number | undefined,
  options: Omit<FetchOptions, 'skip' | 'expected'>,
): Promise<FetchedPage> {
  const { candidates, skip } = await candidatesFrom(run, keys, total)
  return fetchPage(run, candidates, { ...options, skip })
}

/** Takes a page of the records with these ids from ordered keys; about `expected` of those are looked at. */
export async function fetchAmong(
  run: PlanContext,
  keys: OrderedKeys,
  ids: ReadonlySet<number>,
  expected: number,
  ahead?: Ahead,
): Promise<FetchedPage> {
  const keep = (id: number): boolean => ids.has(id)
  const { candidates, skip } =
    ahead && ahead.keys >= expected
      ? { candidates: ahead.candidates, skip: run.offset }
      : await candidatesFrom(run, keys, undefined, { keep, expected })
  return fetchPage(run, kept(candidates, keep), { skip, isExact: true })
}

async function* kept(
  batches: AsyncIterable<readonly Candidate[]>,
  keep: (id: number) => boolean,
): AsyncGenerator<readonly Candidate[]> {
  for await (const batch of batches) yield batch.filter(({ id }) => keep(id))
}

/** Rows that the page leaves out; a cursor has left them behind already. */
export const skipOf = (run: PlanContext): number => (run.position ? 0 : run.offset)
export const planOf = (keys: OrderedKeys): string =>
  keys.kind === 'runs' ? `runs of ${keys.space.name}` : `keys of ${keys.walk.space.name}`
