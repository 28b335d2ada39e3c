import { cursorCodec, cursorPart } from '../http/paging/cursor.ts'
import type { PageQuery } from '../http/paging/page-query.ts'
import { countFitting } from '../http/routing/answer-size.ts'
import type { Page } from '../http/routing/envelope.ts'
import type { Clock } from '../kernel/clock.ts'
import { Invalid, NotFound } from '../kernel/faults.ts'
import { permittedFields } from '../kernel/permissions.ts'
import type { Viewer } from '../kernel/principal.ts'
import type { Item } from '../store/marshal.ts'
import { readLatest } from '../store/rows/tombstone-row.ts'
import type { Store } from '../store/store.ts'
import type { Tables } from '../tables/service.ts'
import { describeRows } from './describe-rows.ts'
import { readHistoryRows } from './read-history-rows.ts'
import type { HistoryEntryAnswer } from './schema.ts'

export interface HistoryDependencies {
  readonly store: Store
  readonly tables: Tables
  readonly clock: Clock
  /** Reads an object of the files bucket. */
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/** `version`: the newest entry of the page. */
export const historyCursors = cursorCodec(
  'history',
  { version: cursorPart.id },
  'The cursor is not one of this history. Use meta.next_cursor of the page before.',
)

/**
 * A page of a record's history, newest first, with the changes of the fields that the viewer may read. It holds the
 * entry of every write that was answered before. Throws NotFound, and Invalid when the page is too large.
 */
export async function readHistory(
  deps: HistoryDependencies,
  viewer: Viewer,
  model: string,
  id: number,
  query: PageQuery,
  reads: readonly (Item | null | undefined)[],
): Promise<Page<HistoryEntryAnswer>> {
  const { tenant } = viewer
  await deps.tables.require(tenant, model)
  const [record, tombstone] = reads
  const newest = readLatest(record, tombstone)
  if (!newest) throw new NotFound('record', { model, id })
  const { version: latest, changedAt } = newest
  // A version that does not exist yet would be waited for.
  const offset = query.cursor
    ? Math.max(0, latest - historyCursors.read(query.cursor).version)
    : (query.page - 1) * query.per_page
  const to = latest - offset
  const from = Math.max(1, to - query.per_page + 1)
  const { rows, pending } = await readHistoryRows(deps, tenant, { model, id, from, to, changedAt })
  const entries = await describeRows(deps, tenant, rows, permittedFields(viewer, model, 'read'))
  const items = entries.slice(0, countFitting(entries))
  const isCut = items.length < entries.length
  if (isCut && !query.cursor) {
    throw new Invalid(
      {
        per_page: [
          `A page of ${query.per_page} entries is larger than 4 MB here; ${items.length} fit. Use a cursor or a smaller per_page.`,
        ],
      },
      { code: 'page_too_large' },
    )
  }
  const oldest = isCut ? (items.at(-1)?.id ?? from) : from
  return {
    items,
    total: latest,
    perPage: query.per_page,
    page: Math.floor(offset / query.per_page) + 1,
    offset,
    nextCursor: oldest > 1 && to >= 1 ? historyCursors.write({ version: oldest - 1 }) : null,
    meta: pending.length > 0 ? { pending } : undefined,
  }
}
