import { createHash } from 'node:crypto'
import { compareText } from '../../columns/service.ts'
import { cursorCodec, cursorPart, type CursorPart } from '../../http/paging/cursor.ts'
import { cutToBytes, missingValue, orderedText, separator, type IndexedValue } from '../../store/slots.ts'
import type { SortKey, SortValue } from './order.ts'

/** The position of a cursor: the next page begins after the last record answered. */
export interface CursorPosition {
  readonly id: number
  /** Its sort values as ordered text, without `id`, the last key. */
  readonly values: readonly string[]
  /** How many rows came before the next. */
  readonly seen: number
  /** The total of the first page, which is not counted again (docs/decisions/0019). */
  readonly total: number
  readonly isTotalExact: boolean
}

/** The first value must find the position in an index, which has this much of it; the others may be shorter. */
const firstValueBytes = 512
const otherValuesBytes = 300

/** The sort values of a cursor: those of `order` without `id`. */
export const positionValues = (order: readonly SortKey[], values: readonly SortValue[]): string[] =>
  values
    .slice(0, order.length - 1)
    .map((value, index) => asCarried(orderedText(value as IndexedValue), index, order.length))

const asCarried = (ordered: string, index: number, keys: number): string =>
  index === 0
    ? cutToBytes(ordered, firstValueBytes)
    : cutToBytes(ordered, Math.floor(otherValuesBytes / Math.max(1, keys - 2)))

/** Whether a record comes after a position; true when the truncated values cannot tell. */
export function isAfter(
  position: CursorPosition,
  order: readonly SortKey[],
  id: number,
  values: readonly SortValue[],
): boolean {
  const carried = positionValues(order, values)
  for (const [index, mine] of carried.entries()) {
    const theirs = position.values[index] ?? ''
    if (mine === theirs) continue
    if (mine === missingValue || theirs === missingValue) return mine === missingValue
    return compareText(mine, theirs) > 0 !== order[index]?.descending
  }
  return order.at(-1)?.descending ? id < position.id : id > position.id
}

/** The rest of a sorted list after a position: after its record if that is unchanged, else by comparing the values. */
export function after<T extends { readonly id: number; readonly values: readonly SortValue[] }>(
  sorted: readonly T[],
  position: CursorPosition | undefined,
  order: readonly SortKey[],
): readonly T[] {
  if (!position) return sorted
  const at = sorted.findIndex(({ id }) => id === position.id)
  const there = sorted[at]
  if (there && positionValues(order, there.values).every((value, index) => value === position.values[index]))
    return sorted.slice(at + 1)
  return sorted.filter(({ id, values }) => isAfter(position, order, id, values))
}

/** A list of texts without the separator, as ordered values are. */
const texts: CursorPart<readonly string[]> = {
  write: (values) => values.map((value) => separator + value).join(''),
  read: (text) => text.split(separator).slice(1),
}

/** The codec of cursors for lists of records, bound to a query's hash. */
export const recordCursors = cursorCodec<CursorPosition>(
  'records',
  {
    id: cursorPart.id,
    seen: cursorPart.count,
    total: cursorPart.count,
    isTotalExact: cursorPart.flag,
    values: texts,
  },
  'The cursor is not one of this list. Use meta.next_cursor of the page before, with the same query.',
)

/** Reads a cursor of the query with this hash. Throws Invalid for any other cursor. */
export function readPosition(cursor: string, hash: string, order: readonly SortKey[]): CursorPosition {
  const position = recordCursors.read(cursor, hash)
  if (position.values.length !== order.length - 1) throw recordCursors.refusal()
  return position
}

/** A hash of everything that decides which records are in a list, and in which order. */
export const hashOfQuery = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12)
