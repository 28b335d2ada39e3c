import { createHash } from 'node:crypto'
import { cursorCodec, cursorPart } from '../../../platform/http/paging/cursor.ts'
import type { Scalar } from '../../columns/scalar.ts'

/** The position of a cursor: the next page begins after the last record answered. */
export interface CursorPosition {
  readonly id: number
  /** Its sort values without `id`, the last key; null where it had none. Long texts are cut. */
  readonly values: readonly (Scalar | null)[]
  /** How many rows came before the next. */
  readonly seen: number
}

/** The first text may be longer than the others, which matter only where the first ones are equal. */
const firstTextUnits = 120
const otherTextUnits = 40

/** The sort values of a record as a cursor carries them. */
export const carriedValues = (values: readonly (Scalar | undefined)[]): (Scalar | null)[] =>
  values.map((value, index) =>
    typeof value === 'string' ? value.slice(0, index === 0 ? firstTextUnits : otherTextUnits) : (value ?? null),
  )

/** Whether a carried value may be the beginning of a longer text. */
export const mayBeCut = (carried: Scalar | null, index: number): boolean =>
  typeof carried === 'string' && carried.length === (index === 0 ? firstTextUnits : otherTextUnits)

/** The codec of cursors for lists of records, bound to a query's hash. */
export const recordCursors = cursorCodec<CursorPosition>(
  'records',
  { id: cursorPart.id, seen: cursorPart.count, values: cursorPart.values },
  'The cursor is not one of this list. Use meta.next_cursor of the page before, with the same query.',
)

/** Reads a cursor of the query with this hash, whose order has so many keys. Throws Invalid for any other cursor. */
export function readPosition(cursor: string, hash: string, keys: number): CursorPosition {
  const position = recordCursors.read(cursor, hash)
  if (position.values.length !== keys - 1) throw recordCursors.refusal()
  return position
}

/** A hash of everything that decides which records are in a list, and in which order. */
export const hashOfQuery = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12)
