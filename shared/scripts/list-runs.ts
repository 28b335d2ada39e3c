import type { Page } from '../http/routing/envelope.ts'
import type { Clock } from '../kernel/clock.ts'
import { Invalid } from '../kernel/faults.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { scriptRunPartition } from '../store/keys/scripts.ts'
import type { Item } from '../store/marshal.ts'
import { readPages } from '../store/read-all.ts'
import type { Store } from '../store/table.ts'
import { answerRun, isExpired } from './run-log.ts'
import type { ScriptRunAnswer, ScriptRunQuery } from './schema.ts'

/** The most rows that one request reads; a cursor continues after them. */
const maxRows = 2000

/**
 * Lists script runs, newest first. Filters are applied to the rows read, 2,000 at most per request: the total counts the
 * matches among them, and `meta.total_exact` is false when there are more rows.
 */
export async function listRuns(
  { store, clock }: { store: Pick<Store, 'query'>; clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
  query: ScriptRunQuery,
): Promise<Page<ScriptRunAnswer>> {
  const pk = scriptRunPartition(tenant)
  const cursor = query.cursor ? readCursor(query.cursor) : undefined
  const matching: Item[] = []
  let after: Readonly<Record<string, string>> | undefined = cursor && { pk, sk: cursor.sk }
  const range = { pk, reverse: true, limit: 500, after }
  for await (const page of readPages(store, tenant, range, maxRows)) {
    matching.push(...page.items.filter((item) => !isExpired(item, clock) && matches(item, query)))
    after = page.last
  }

  const start = cursor ? 0 : (query.page - 1) * query.per_page
  const rows = matching.slice(start, start + query.per_page)
  const offset = start + (cursor?.before ?? 0)
  const isLast = matching.length <= start + query.per_page
  // Continue after this page, or after the last row read if the page is the last of the matches.
  const next = isLast ? after?.sk : String(rows.at(-1)?.sk)
  return {
    items: rows.map(answerRun),
    total: matching.length + (cursor?.before ?? 0),
    perPage: query.per_page,
    page: cursor ? Math.floor(offset / query.per_page) + 1 : query.page,
    offset,
    nextCursor: next === undefined ? null : writeCursor({ sk: next, before: offset + rows.length }),
    ...(after && { meta: { total_exact: false } }),
  }
}

const matches = (item: Item, { model, status, automation_id }: ScriptRunQuery): boolean =>
  (model === undefined || item.model === model) &&
  (status === undefined || item.status === status) &&
  (automation_id === undefined || item.automation_id === automation_id)

interface RunCursor {
  readonly sk: string
  readonly before: number
}

const writeCursor = ({ sk, before }: RunCursor): string => Buffer.from(`${before}:${sk}`).toString('base64url')

function readCursor(text: string): RunCursor {
  const match = /^(\d{1,9}):(\d{16}#[\w.:-]{1,100})$/.exec(Buffer.from(text, 'base64url').toString())
  if (!match)
    throw new Invalid(
      { cursor: ['The cursor is not one of this list. Use meta.next_cursor of the page before.'] },
      { code: 'invalid_cursor' },
    )
  return { before: Number(match[1]), sk: match[2] as string }
}
