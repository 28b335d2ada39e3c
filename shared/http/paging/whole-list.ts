import type { Page } from '../routing/envelope.ts'
import { readListCursor, writeListCursor } from './list-cursor.ts'
import type { PageQuery } from './page-query.ts'

/** One page of a list that is held in memory as a whole, by page or by cursor. Throws Invalid for a cursor of another list. */
export function pageOfWholeList<T extends { readonly id: number }>(
  all: readonly T[],
  { page, per_page, cursor }: PageQuery,
): Page<T> {
  const offset = cursor ? placeAfter(all, cursor) : (page - 1) * per_page
  const seen = offset + per_page
  const items = all.slice(offset, seen)
  const last = items.at(-1)
  return {
    items,
    total: all.length,
    perPage: per_page,
    page: cursor ? null : page,
    offset,
    nextCursor: last && seen < all.length ? writeListCursor({ lastId: last.id, seen }) : null,
  }
}

/** Behind the last row handed out, wherever it stands by now; when it is gone, the next one has taken its place. */
function placeAfter(all: readonly { readonly id: number }[], cursor: string): number {
  const { lastId, seen } = readListCursor(cursor)
  const index = all.findIndex(({ id }) => id === lastId)
  return index === -1 ? Math.max(0, seen - 1) : index + 1
}
