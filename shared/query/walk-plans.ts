import type { Total } from './count-matches.ts'
import type { Candidate } from './key-space.ts'
import { candidatesFrom, orderedKeys, type OrderedKeys } from './ordered.ts'
import type { Run } from './run.ts'
import { takePage, type TakenPage, type TakeOptions } from './take-page.ts'

/** A page and how it was come by. */
export interface PlannedPage {
  readonly taken: TakenPage
  /** undefined: nobody asked. */
  readonly total: Total | undefined
  readonly plan: string
}

/** A page that needs no reading. */
export const none: TakenPage = { rows: [], from: [], hasMore: false, isTooLarge: false, gaveUp: false, lastLooked: undefined }

/** Where many records match, the page is found sooner by walking in its order than by listing every match. */
export async function walkIfNear(run: Run, ordered: OrderedKeys, total: Total): Promise<PlannedPage | undefined> {
  const { live } = await run.sequence()
  const offset = skipOf(run)
  const looks = Math.ceil(((offset + run.limit) * live) / Math.max(1, total.count))
  if (looks > Math.min(run.limits.maxWalked, total.count)) return undefined
  // Rows before the page are found by looking at them: they are taken along and dropped.
  const wider = { ...run, offset: 0, limit: offset + run.limit }
  const taken = await takeOrdered(wider, ordered, undefined, { isExact: false, most: run.limits.maxWalked, expected: Math.ceil(looks * 1.3) + 5 })
  if (taken.gaveUp || (taken.isTooLarge && offset > 0)) return undefined
  return { taken: without(taken, offset), total, plan: `${planOf(ordered)}, each record checked` }
}

const without = (taken: TakenPage, offset: number): TakenPage => ({ ...taken, rows: taken.rows.slice(offset), from: taken.from.slice(offset) })


/** Walks in the order of the list and keeps what matches: for cursors, which know the total, and for jobs. */
export async function walkAndCheck(run: Run, ordered: OrderedKeys, carried: Total | undefined): Promise<PlannedPage> {
  const isExact = run.sources.rest.length === 0 && run.sources.sources.length === 0 && !run.search && isTable(ordered)
  const total = carried ?? (run.wantsTotal ? await countIds(run) : undefined)
  const offset = isExact ? 0 : skipOf(run)
  const wider = isExact ? run : { ...run, offset: 0, limit: offset + run.limit }
  const taken = await takeOrdered(wider, ordered, total?.isExact ? total.count : undefined, { isExact, most: run.isUnbounded ? undefined : run.limits.maxRead })
  return { taken: without(taken, offset), total, plan: isExact ? planOf(ordered) : `${planOf(ordered)}, each record checked` }
}

/** Whether a walk goes through the records themselves. */
export const isTable = (keys: OrderedKeys): boolean => keys.kind === 'straight' && keys.walk.space.index === undefined

/** How many records a range of ids holds. */
async function countIds(run: Run): Promise<Total> {
  const keys = orderedKeys({ ...run, order: [{ ...(run.order.at(-1) as Run['order'][number]) }] })
  const bounds = keys?.kind === 'straight' ? keys.walk.stretches[0]?.bounds : undefined
  const { count, last } = bounds ? await run.reader.count(run.reader.ids, bounds, run.limits.maxCounted + 1) : { count: 0 }
  return { count, isExact: last === undefined }
}

/** Takes a page from ordered keys; `keep` knows which of them belong to the list. */
export async function takeOrdered(run: Run, keys: OrderedKeys, total: number | undefined, options: Omit<TakeOptions, 'skip'>, keep?: (id: number) => boolean): Promise<TakenPage> {
  const { candidates, skip } = await candidatesFrom(run, keys, total, { keep, expected: options.expected })
  return takePage(run, keep ? kept(candidates, keep) : candidates, { ...options, skip })
}

async function* kept(batches: AsyncIterable<readonly Candidate[]>, keep: (id: number) => boolean): AsyncGenerator<readonly Candidate[]> {
  for await (const batch of batches) yield batch.filter(({ id }) => keep(id))
}

/** Rows that the page leaves out; a cursor has left them behind already. */
export const skipOf = (run: Run): number => (run.place ? 0 : run.offset)
export const planOf = (keys: OrderedKeys): string => (keys.kind === 'runs' ? `runs of ${keys.space.name}` : `keys of ${keys.walk.space.name}`)
