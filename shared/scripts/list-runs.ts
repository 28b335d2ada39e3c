import { maxScannedRows } from '../kernel/limits/lists.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { cursorCodec, cursorPart } from '../platform/http/paging/cursor.ts'
import { openPage, pageTooDeep } from '../platform/http/paging/fit-page.ts'
import { holdsWords, markOf } from '../platform/http/paging/list-order.ts'
import type { Page } from '../platform/http/routing/envelope.ts'
import { scriptRunPartitions } from '../platform/store/keys/scripts.ts'
import { readMerged } from '../platform/store/ranges/merge-shards.ts'
import type { Store } from '../platform/store/store.ts'
import type { Item } from '../platform/store/values/marshal.ts'
import { isExpired, readRun, readRunHead } from './run-log.ts'
import type { ScriptRunAnswer, ScriptRunQuery } from './schema.ts'

const cursors = cursorCodec('script-runs', {
  seen: cursorPart.count,
  /** The sort key of the last run that was looked at. */
  sk: cursorPart.text(/^\d{16}#[\w.:-]{1,100}$/),
})

/**
 * Lists script runs, newest first unless asked otherwise. Filters are applied to the rows read, 2,000 at most per request: the total counts
 * the matches among them, and `meta.total_exact` is false when there are more rows. Throws Invalid for a page by number
 * that is too large, or behind these rows.
 */
export async function listRuns(
  { store, clock }: { store: Pick<Store, 'query'>; clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
  query: ScriptRunQuery,
): Promise<Page<ScriptRunAnswer>> {
  const shards = scriptRunPartitions(tenant).map((pk) => ({ pk }))
  const mark = markOf(query)
  const position = query.cursor ? cursors.read(query.cursor, mark) : undefined
  const start = position ? 0 : (query.page - 1) * query.per_page
  const matching: string[] = []
  const page = openPage<ScriptRunAnswer>(query, 'runs')
  let isFull = false
  // The last run that was looked at, when there are more.
  let lookedTo: string | undefined
  const range = { reverse: query.sort !== 'id', limit: maxScannedRows, after: position?.sk }
  for await (const { items, hasMore } of readMerged(store, tenant, shards, range)) {
    for (const item of items) {
      if (isExpired(item, clock) || !matches(item, query)) continue
      const index = matching.push(String(item.sk)) - 1 - start
      if (index >= 0 && index < query.per_page && !isFull) isFull = !page.add(readRun(item))
    }
    lookedTo = hasMore ? String(items.at(-1)?.sk) : undefined
  }

  if (lookedTo !== undefined && start > 0 && start >= matching.length)
    throw pageTooDeep(matching.length, 'runs', query.sort === 'id' ? 'oldest' : 'newest')
  const end = start + page.items.length
  const offset = start + (position?.seen ?? 0)
  // Continue after this page, or after the last row read if the page is the last of the matches.
  const next = end < matching.length ? matching[end - 1] : lookedTo
  return {
    items: page.items,
    total: matching.length + (position?.seen ?? 0),
    perPage: query.per_page,
    page: position ? Math.floor(offset / query.per_page) + 1 : query.page,
    offset,
    nextCursor: next === undefined ? null : cursors.write({ sk: next, seen: offset + page.items.length }, mark),
    ...(lookedTo !== undefined && { meta: { total_exact: false } }),
  }
}

function matches(item: Item, { model, status, automation_id, search }: ScriptRunQuery): boolean {
  const run = readRunHead(item)
  return (
    (model === undefined || run.model === model) &&
    (status === undefined || run.status === status) &&
    (automation_id === undefined || run.automation_id === automation_id) &&
    (search === undefined || holdsWords(search, textsOf(readRun(item))))
  )
}

const textsOf = (run: ScriptRunAnswer) => [run.name, run.model, run.kind, run.error?.message]
