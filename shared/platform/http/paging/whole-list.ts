import type { Page } from '../routing/envelope.ts'
import { afterId, cursorCodec } from './cursor.ts'
import type { PageQuery } from './page-query.ts'

const cursors = cursorCodec('whole', afterId)

/** Answers one page of a list in memory, by `page` or by `cursor`. Throws Invalid for a cursor of another list. */
export function pageOfWholeList<T extends { readonly id: number }>(
  list: string,
  all: readonly T[],
  { page, per_page, cursor }: PageQuery,
): Page<T> {
  const offset = cursor ? offsetOf(all, cursors.read(cursor, list)) : (page - 1) * per_page
  const seen = offset + per_page
  const items = all.slice(offset, seen)
  const last = items.at(-1)
  return {
    items,
    total: all.length,
    perPage: per_page,
    page: cursor ? null : page,
    offset,
    nextCursor: last && seen < all.length ? cursors.write({ lastId: last.id, seen }, list) : null,
  }
}

/** The index after the last row answered. When that row was removed, the next row has taken its index. */
function offsetOf(
  all: readonly { readonly id: number }[],
  { lastId, seen }: { readonly lastId: number; readonly seen: number },
): number {
  const index = all.findIndex(({ id }) => id === lastId)
  return index === -1 ? Math.max(0, seen - 1) : index + 1
}
