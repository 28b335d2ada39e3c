import { createHash } from 'node:crypto'
import { cursorCodec, cursorPart, type CursorPart } from '../../http/paging/cursor.ts'
import { cutToBytes, missingValue, orderedText, separator, type IndexedValue } from '../../store/slots.ts'
import { compareText } from '../grammar/scalar.ts'
import type { SortKey, SortValue } from './order.ts'

/** Where the next page of a list begins: after the last record handed out. */
export interface CursorPosition {
  readonly id: number
  /** What it was sorted by, as in an index; `id`, the last key, is apart. */
  readonly values: readonly string[]
  /** How many rows came before the next. */
  readonly seen: number
  /** The total of the first page: counting again on each page would cost what a cursor is there to save. */
  readonly total: number
  readonly isTotalExact: boolean
}

/** The first value finds the position in an index, which holds so much of it; of the others less will do. */
const firstValueBytes = 512
const otherValuesBytes = 300

/** Sort values as a cursor carries them; the values of `order`, `id` left out. */
export const positionValues = (order: readonly SortKey[], values: readonly SortValue[]): string[] =>
  values
    .slice(0, order.length - 1)
    .map((value, index) => asCarried(orderedText(value as IndexedValue), index, order.length))

const asCarried = (ordered: string, index: number, keys: number): string =>
  index === 0
    ? cutToBytes(ordered, firstValueBytes)
    : cutToBytes(ordered, Math.floor(otherValuesBytes / Math.max(1, keys - 2)))

/** Whether a record comes after a position: it does when nothing tells that it comes before. */
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

/** What is left of a sorted list after a position; texts too long to carry are told apart by the record itself, while it is there. */
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

/** Texts that hold no separator, as ordered values do. */
const texts: CursorPart<readonly string[]> = {
  write: (values) => values.map((value) => separator + value).join(''),
  read: (text) => text.split(separator).slice(1),
}

/** The cursors of lists of records; a query's hash tells one from another. */
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

/** Where a cursor of the query with this hash continues. Throws Invalid for any other cursor. */
export function readPosition(cursor: string, hash: string, order: readonly SortKey[]): CursorPosition {
  const position = recordCursors.read(cursor, hash)
  if (position.values.length !== order.length - 1) throw recordCursors.refusal()
  return position
}

/** Tells one list from another: everything that decides which records are in it, and in which order. */
export const hashOfQuery = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12)
