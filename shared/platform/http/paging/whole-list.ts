import type { Page } from '../routing/envelope.ts'
import { afterId, cursorCodec } from './cursor.ts'
import { compareBy, isFound, markOf } from './list-order.ts'
import type { ListQuery } from './page-query.ts'

const cursors = cursorCodec('whole', afterId)

/**
 * Answers one page of a list in memory, searched and sorted as the query says, by `page` or by `cursor`. `shown`: a row as
 * answers show it, for rows that are not in that form. Throws Invalid for a cursor of another list, search or order.
 */
export function pageOfWholeList<T extends { readonly id: number }>(
  list: string,
  all: readonly T[],
  query: ListQuery,
  shown: (row: T) => object = (row) => row,
): Page<T> {
  const { page, per_page, cursor } = query
  const rows = ordered(all, query, shown)
  const mark = list + markOf(query)
  const offset = cursor ? offsetOf(rows, cursors.read(cursor, mark)) : (page - 1) * per_page
  const seen = offset + per_page
  const items = rows.slice(offset, seen)
  const last = items.at(-1)
  return {
    items,
    total: rows.length,
    perPage: per_page,
    page: cursor ? null : page,
    offset,
    nextCursor: last && seen < rows.length ? cursors.write({ lastId: last.id, seen }, mark) : null,
  }
}

/** The rows that the query looks for, in its order. */
function ordered<T extends object>(
  all: readonly T[],
  { sort, search }: ListQuery,
  shown: (row: T) => object,
): readonly T[] {
  if (!sort && !search) return all
  const rows = all.map((row) => ({ row, as: shown(row) })).filter(({ as }) => !search || isFound(search, as))
  const compare = sort && compareBy(sort)
  return (compare ? rows.toSorted((a, b) => compare(a.as, b.as)) : rows).map(({ row }) => row)
}

/** The index after the last row answered. When that row was removed, the next row has taken its index. */
function offsetOf(
  all: readonly { readonly id: number }[],
  { lastId, seen }: { readonly lastId: number; readonly seen: number },
): number {
  const index = all.findIndex(({ id }) => id === lastId)
  return index === -1 ? Math.max(0, seen - 1) : index + 1
}
