import { createHash } from 'node:crypto'
import { Invalid } from '../../kernel/faults.ts'
import { cutToBytes, missingValue, orderedText, separator, type IndexedValue } from '../../store/slots.ts'
import { compareText } from '../grammar/scalar.ts'
import type { SortKey, SortValue } from './order.ts'

/** Where a walk through a list stands: at the last record handed out. */
export interface CursorPosition {
  readonly id: number
  /** What it was sorted by, as in an index; `id`, the last key, stands apart. */
  readonly values: readonly string[]
  /** How many rows came before the next. */
  readonly seen: number
  /** The total when the walk began: counting again on each page would cost what a cursor is there to save. */
  readonly total: number
  readonly isTotalExact: boolean
}

/** The first value finds the place in an index, which holds so much of it; of the others less will do. */
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

/** Whether a record stands after a place: it does when nothing tells that it stands before. */
export function isAfter(
  place: CursorPosition,
  order: readonly SortKey[],
  id: number,
  values: readonly SortValue[],
): boolean {
  const carried = positionValues(order, values)
  for (const [index, mine] of carried.entries()) {
    const theirs = place.values[index] ?? ''
    if (mine === theirs) continue
    if (mine === missingValue || theirs === missingValue) return mine === missingValue
    return compareText(mine, theirs) > 0 !== order[index]?.descending
  }
  return order.at(-1)?.descending ? id < place.id : id > place.id
}

/** What is left of a sorted list after a place; texts too long to carry are told apart by the record itself, while it is there. */
export function after<T extends { readonly id: number; readonly values: readonly SortValue[] }>(
  sorted: readonly T[],
  place: CursorPosition | undefined,
  order: readonly SortKey[],
): readonly T[] {
  if (!place) return sorted
  const at = sorted.findIndex(({ id }) => id === place.id)
  const there = sorted[at]
  if (there && positionValues(order, there.values).every((value, index) => value === place.values[index]))
    return sorted.slice(at + 1)
  return sorted.filter(({ id, values }) => isAfter(place, order, id, values))
}

const version = '1'

/** The cursor of a place in the list that `query` (a hash) describes. Ordered values hold no separator. */
export const writeCursor = (place: CursorPosition, query: string): string =>
  Buffer.from(
    [version, query, place.id, place.seen, place.total, place.isTotalExact ? 1 : 0, ...place.values].join(separator),
  ).toString('base64url')

/** Throws Invalid for anything this service did not hand out, or handed out for another query. */
export function readCursor(cursor: string, query: string, order: readonly SortKey[]): CursorPosition {
  const [format, hash, ...rest] = Buffer.from(cursor, 'base64url').toString().split(separator)
  const [id = 0, seen = -1, total = -1, isExact = -1] = rest.slice(0, 4).map(Number)
  const values = rest.slice(4)
  const isSound =
    [id, seen, total].every((number) => Number.isSafeInteger(number) && number >= 0) && (isExact === 0 || isExact === 1)
  if (format !== version || hash !== query || !isSound || values.length !== order.length - 1) {
    throw new Invalid(
      {
        cursor: ['The cursor is not one of this list. Use meta.next_cursor of the page before, with the same query.'],
      },
      { code: 'invalid_cursor' },
    )
  }
  return { id, values, seen, total, isTotalExact: isExact === 1 }
}

/** Tells one list from another: everything that decides which records are in it, and in which order. */
export const hashOfQuery = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12)
