import { findBySearch } from '../access/find-by-search.ts'
import { listIds } from '../access/list-ids.ts'
import { keysOfOneValue, orderedKeys, type OrderedKeys } from '../access/ordered-keys.ts'
import { scanTable } from '../access/table-scan.ts'
import { countKeys, exactSlot, isWholeTable, counterTotal, type Total } from './count-matches.ts'
import { fromEntries, fromLists, fromSearch, hasEveryId } from './id-plans.ts'
import type { PlanContext } from './plan-context.ts'
import {
  isTable,
  none,
  planOf,
  fetchOrdered,
  prefetchScan,
  prefetchForLists,
  scanAndCheck,
  scanIfNear,
  type PlannedPage,
} from './scan-plans.ts'

/** Reads one page by the cheapest plan that serves it. */
export async function planPage(run: PlanContext): Promise<PlannedPage> {
  const { sources, position } = run
  const carried = position ? { count: position.total, isExact: position.isTotalExact } : undefined
  if (sources.isEmpty) return { fetched: none, total: { count: 0, isExact: true }, plan: 'nothing can match' }
  if (run.search) {
    const found = await findBySearch(run, run.search)
    if (found) return fromSearch(run, found)
  }
  if (isWholeTable(run)) return wholeTable(run)
  const slot = exactSlot(run)
  const ordered = orderedKeys(run)
  if (slot) {
    const keys = keysOfOneValue(run, slot) ?? (run.order[0]?.field.path === slot.field.path ? ordered : undefined)
    if (keys) return oneSlot(run, keys, carried)
  }
  if (sources.sources.length > 0) return severalSources(run, ordered, carried)
  const isIdRange = sources.rest.length === 0 && !run.search
  if (ordered && (carried || !run.wantsTotal || (isIdRange && (isTable(ordered) || !(await isFewIds(run))))))
    return scanAndCheck(run, ordered, carried)
  return fromEntries(run, await scanTable(run), 'table scan')
}

/** No filter: the total is the table's live count. */
async function wholeTable(run: PlanContext): Promise<PlannedPage> {
  const { live } = await run.sequence()
  const total = { count: live, isExact: true }
  const ordered = orderedKeys(run)
  if (!ordered) return { ...(await fromEntries(run, await scanTable(run), 'table scan')), total }
  if (run.offset >= live && !run.position) return { fetched: none, total, plan: 'past the end' }
  return { fetched: await fetchOrdered(run, ordered, live, { isExact: true }), total, plan: planOf(ordered) }
}

/** The filter is one range of keys that are in the order of the list. */
async function oneSlot(run: PlanContext, keys: OrderedKeys, carried: Total | undefined): Promise<PlannedPage> {
  const slot = exactSlot(run) as NonNullable<ReturnType<typeof exactSlot>>
  const isNear = run.offset <= run.limits.shortSkip || run.position !== undefined
  const counting = carried ?? (run.wantsTotal ? totalOf(run, slot) : undefined)
  const total = isNear ? undefined : await counting
  if (total && total.isExact && run.offset >= total.count) return { fetched: none, total, plan: 'past the end' }
  const [fetched, count] = await Promise.all([
    fetchOrdered(run, keys, total?.isExact ? total.count : undefined, { isExact: true }),
    counting,
  ])
  return { fetched, total: count, plan: planOf(keys) }
}

async function totalOf(run: PlanContext, slot: NonNullable<ReturnType<typeof exactSlot>>): Promise<Total> {
  return (await counterTotal(run)) ?? countKeys(run, slot)
}

/** Indexes serve parts of the filter, but none has exactly the list in order. */
async function severalSources(
  run: PlanContext,
  ordered: OrderedKeys | undefined,
  carried: Total | undefined,
): Promise<PlannedPage> {
  const { sources, rest } = run.sources
  const slot = exactSlot(run)
  const prefetched = slot && ordered && !carried && run.wantsTotal ? prefetchScan(run, ordered) : undefined
  const total = carried ?? (slot && run.wantsTotal ? await totalOf(run, slot) : undefined)
  const scanned = slot && ordered && total && (await scanIfNear(run, ordered, slot, total, prefetched))
  if (scanned) return scanned
  const probes =
    slot && total ? [] : await Promise.all(sources.map((source) => listIds(run, source, run.limits.probed)))
  const isExact = rest.length === 0 && !run.search && hasEveryId(run)
  const whole = probes.filter(({ isComplete }) => isComplete)
  if (whole.length > 0) return fromLists(run, ordered, probes, isExact)
  if (ordered && (!run.wantsTotal || (carried && !slot))) {
    const checked = await scanAndCheck(run, ordered, carried)
    if (!checked.fetched.gaveUp || run.position) return checked
  }
  const begun = isExact ? prefetchForLists(run, ordered) : undefined
  return fromLists(
    run,
    ordered,
    await Promise.all(sources.map((source) => listIds(run, source, run.limits.maxKeys))),
    isExact,
    begun,
  )
}

async function isFewIds({ sources: { idRange }, sequence, limits }: PlanContext): Promise<boolean> {
  const { last, live } = await sequence()
  return Math.min(live, Math.min(last, idRange.to) - idRange.from + 1) <= limits.maxRead
}
