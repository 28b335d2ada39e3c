import { cursorCodec, cursorPart } from '../http/paging/cursor.ts'
import type { Page } from '../http/routing/envelope.ts'
import type { Clock } from '../kernel/clock.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { scriptRunPartitions } from '../store/keys/scripts.ts'
import type { Item } from '../store/marshal.ts'
import { readMerged } from '../store/merge-shards.ts'
import type { Store } from '../store/store.ts'
import { isExpired, readRun, readRunHead } from './run-log.ts'
import type { ScriptRunAnswer, ScriptRunQuery } from './schema.ts'

/** The most rows that one request reads; a cursor continues after them. */
const maxRows = 2000

const cursors = cursorCodec('script-runs', {
  seen: cursorPart.count,
  /** The sort key of the last run that was looked at. */
  sk: cursorPart.text(/^\d{16}#[\w.:-]{1,100}$/),
})

/**
 * Lists script runs, newest first. Filters are applied to the rows read, 2,000 at most per request: the total counts
 * the matches among them, and `meta.total_exact` is false when there are more rows.
 */
export async function listRuns(
  { store, clock }: { store: Pick<Store, 'query'>; clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
  query: ScriptRunQuery,
): Promise<Page<ScriptRunAnswer>> {
  const shards = scriptRunPartitions(tenant).map((pk) => ({ pk }))
  const position = query.cursor ? cursors.read(query.cursor) : undefined
  const matching: Item[] = []
  // The last run that was looked at, when there are more.
  let lookedTo: string | undefined
  const range = { reverse: true, limit: maxRows, after: position?.sk }
  for await (const { items, hasMore } of readMerged(store, tenant, shards, range)) {
    matching.push(...items.filter((item) => !isExpired(item, clock) && matches(item, query)))
    lookedTo = hasMore ? String(items.at(-1)?.sk) : undefined
  }

  const start = position ? 0 : (query.page - 1) * query.per_page
  const rows = matching.slice(start, start + query.per_page)
  const offset = start + (position?.seen ?? 0)
  const isLast = matching.length <= start + query.per_page
  // Continue after this page, or after the last row read if the page is the last of the matches.
  const next = isLast ? lookedTo : String(rows.at(-1)?.sk)
  return {
    items: rows.map(readRun),
    total: matching.length + (position?.seen ?? 0),
    perPage: query.per_page,
    page: position ? Math.floor(offset / query.per_page) + 1 : query.page,
    offset,
    nextCursor: next === undefined ? null : cursors.write({ sk: next, seen: offset + rows.length }),
    ...(lookedTo !== undefined && { meta: { total_exact: false } }),
  }
}

function matches(item: Item, { model, status, automation_id }: ScriptRunQuery): boolean {
  const run = readRunHead(item)
  return (
    (model === undefined || run.model === model) &&
    (status === undefined || run.status === status) &&
    (automation_id === undefined || run.automation_id === automation_id)
  )
}
