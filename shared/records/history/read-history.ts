import { NotFound } from '../../kernel/failures/faults.ts'
import { permittedFields } from '../../kernel/permissions.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { cursorCodec, cursorPart } from '../../platform/http/paging/cursor.ts'
import { readFitting } from '../../platform/http/paging/fit-page.ts'
import type { PageQuery } from '../../platform/http/paging/page-query.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { readLatest } from '../../platform/store/rows/tombstone-row.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import { describeRows } from './describe-changes.ts'
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
  history: HistoryDependencies,
  viewer: Viewer,
  model: string,
  id: number,
  query: PageQuery,
  reads: readonly (Item | null | undefined)[],
): Promise<Page<HistoryEntryAnswer>> {
  const { tenant } = viewer
  const table = await history.tables.require(tenant, model)
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
  const versions = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => to - index)
  const readable = permittedFields(viewer, model, 'read')
  const pending: number[] = []
  const startedAt = history.clock.now()
  const { items, taken } = await readFitting(
    versions,
    async (some) => {
      const range = { model, id, from: some.at(-1) as number, to: some[0] as number, changedAt, startedAt }
      const found = await readHistoryRows(history, tenant, range)
      pending.push(...found.pending)
      const entries = await describeRows(history, tenant, found.rows, { tableOf: () => table, readable })
      const byVersion = new Map(entries.map((entry) => [entry.id, entry]))
      return some.map((version) => byVersion.get(version))
    },
    query,
    'entries',
  )
  const oldest = to - taken + 1
  const shownPending = pending.filter((version) => version >= oldest)
  return {
    items,
    total: latest,
    perPage: query.per_page,
    page: Math.floor(offset / query.per_page) + 1,
    offset,
    nextCursor: oldest > 1 && to >= 1 ? historyCursors.write({ version: oldest - 1 }) : null,
    meta: shownPending.length > 0 ? { pending: shownPending } : undefined,
  }
}
