import * as z from 'zod'
import { Invalid } from '../kernel/faults.ts'

const Cursor = z.tuple([z.literal(1), z.int().min(1), z.int().min(0)])

/** Where a walk through related records stands: the last id handed out, and how many links came before the next. */
export interface RelatedPosition {
  readonly lastId: number
  readonly seen: number
}

export const writeRelatedCursor = ({ lastId, seen }: RelatedPosition): string =>
  Buffer.from(JSON.stringify([1, lastId, seen])).toString('base64url')

/** Throws Invalid for anything this list did not hand out. */
export function readRelatedCursor(text: string): RelatedPosition {
  try {
    const [, lastId, seen] = Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { lastId, seen }
  } catch {
    throw new Invalid(
      { cursor: ['The cursor is not one of this list. Use meta.next_cursor of the page before.'] },
      { code: 'invalid_cursor' },
    )
  }
}
