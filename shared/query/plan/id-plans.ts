import type { Found } from '../access/find-by-search.ts'
import { commonIds, listIds, type IdList } from '../access/list-ids.ts'
import { orderedKeys, type OrderedKeys } from '../access/ordered-keys.ts'
import { entriesAfter, indexRequired, rowsOf, scanTable, sortedEntries, type Entry } from '../access/table-scan.ts'
import { fetchPage } from './fetch-page.ts'
import type { PlanContext } from './plan-context.ts'
import { planOf, skipOf, fetchAmong, scanAndCheck, type Prefetch, type PlannedPage } from './scan-plans.ts'
import { everyId } from './sources.ts'

/** A page from the ids that the sources listed. `prefetched` is the scan in the list's order, if it was started. */
export async function fromLists(
  run: PlanContext,
  ordered: OrderedKeys | undefined,
  lists: readonly IdList[],
  isExact: boolean,
  prefetched?: Prefetch,
): Promise<PlannedPage> {
  const whole = lists.filter(({ isComplete }) => isComplete)
  if (whole.length > 0)
    return fromIds(
      run,
      ordered,
      commonIds(whole),
      isExact && whole.length === lists.length && whole.every((list) => list.isExact),
      prefetched,
    )
  // Every part of the filter matches very many records, so a scan in order finds enough of them soon.
  if (!ordered) throw indexRequired(run)
  const { fetched, plan } = await scanAndCheck({ ...run, wantsTotal: false }, ordered, undefined)
  return { fetched, total: { count: run.offset + fetched.rows.length, isExact: false }, plan }
}

/** A page from the result of a search in the index. */
export async function fromSearch(run: PlanContext, { entries: found, unindexed }: Found): Promise<PlannedPage> {
  const { sources, rest } = run.sources
  const lists = await Promise.all(sources.map((source) => listIds(run, source, run.limits.maxKeys)))
  const whole = lists.filter(({ isComplete }) => isComplete)
  // With many matches, the few recently changed records may wait for the index.
  const checked = found.length + unindexed.size <= run.limits.readWhole ? unindexed : new Set<number>()
  const common = commonIds([
    { ids: new Set([...found.map(({ id }) => id), ...checked]), isComplete: true, isExact: checked.size === 0 },
    ...whole,
  ])
  const isExact =
    checked.size === 0 &&
    rest.length === 0 &&
    hasEveryId(run) &&
    whole.length === lists.length &&
    whole.every((list) => list.isExact)
  if (common.size <= run.limits.readWhole || !isExact || run.order[0]?.field !== run.search?.rank)
    return fromIds(run, orderedKeys(run), common, isExact)
  const entries = found.filter(({ id }) => common.has(id))
  const fetched = await fetchPage(run, entriesAfter(run, entries), { skip: skipOf(run), isExact: true })
  return {
    fetched,
    total: { count: entries.length, isExact: entries.length <= run.limits.maxCounted },
    plan: 'search index',
  }
}

/** A page when the ids of all possible matches are known. */
async function fromIds(
  run: PlanContext,
  ordered: OrderedKeys | undefined,
  ids: ReadonlySet<number>,
  isExact: boolean,
  prefetched?: Prefetch,
): Promise<PlannedPage> {
  const [first] = run.order
  if (isExact) {
    const total = { count: ids.size, isExact: ids.size <= run.limits.maxCounted }
    if (first?.field.name === 'id' && !first.field.via) {
      const entries = [...ids]
        .sort((a, b) => (first.descending ? b - a : a - b))
        .map((id): Entry => ({ id, sort: '', values: [id] }))
      return {
        fetched: await fetchPage(run, entriesAfter(run, entries), { skip: skipOf(run), isExact }),
        total,
        plan: 'ids in common',
      }
    }
    if (ids.size > run.limits.readWhole && ordered) {
      const { live } = await run.sequence()
      const expected = Math.ceil(((skipOf(run) + run.limit + 1) * live * 1.3) / ids.size)
      const fetched = await fetchAmong(run, ordered, ids, expected, prefetched)
      return { fetched, total, plan: `ids in common, in the order of ${planOf(ordered)}` }
    }
  }
  const { live } = await run.sequence()
  if (ids.size > run.limits.maxRead && !run.isUnbounded) throw indexRequired(run)
  const isScanCheaper = ids.size > run.limits.probed && ids.size > live / 2 && live <= run.limits.maxRead
  if (isScanCheaper) return fromEntries(run, await scanTable(run), 'table scan')
  return fromEntries(run, await sortedEntries(run, [rowsOf(run, ids)]), 'ids in common, each record checked')
}

/** A page when all matches are known and in order. */
export async function fromEntries(run: PlanContext, entries: readonly Entry[], plan: string): Promise<PlannedPage> {
  const fetched = await fetchPage(run, entriesAfter(run, entries), { skip: skipOf(run), isExact: true })
  return { fetched, total: { count: entries.length, isExact: true }, plan }
}

/** Whether the filter does not limit the id. */
export const hasEveryId = ({ sources: { idRange } }: PlanContext): boolean =>
  idRange.from === everyId.from && idRange.to === everyId.to
