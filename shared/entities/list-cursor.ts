import * as z from 'zod'
import { Invalid } from '../faults.ts'

const Cursor = z.tuple([z.literal(1), z.enum(['a', 'd']), z.int().min(1), z.int().min(0)])

export interface ListOrder {
  readonly ascending: boolean
}

/** Reads `sort`: `-id`, the default, or `id`. Other fields come with the query grammar. */
export function readListOrder(sort: string | undefined): ListOrder {
  if (sort === undefined || sort === '' || sort === '-id') return { ascending: false }
  if (sort === 'id') return { ascending: true }
  throw new Invalid({ sort: ['This list can be sorted by id and -id.'] })
}

/** Where a walk through a list stands: the last id handed out and how many rows came before the next. */
export interface ListPlace {
  readonly lastId: number
  readonly seen: number
}

export const writeListCursor = ({ lastId, seen }: ListPlace, order: ListOrder): string =>
  Buffer.from(JSON.stringify([1, order.ascending ? 'a' : 'd', lastId, seen])).toString('base64url')

/** Throws Invalid for anything this service did not hand out, or handed out for another order. */
export function readListCursor(text: string, order: ListOrder): ListPlace {
  const parsed = Cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString()))
  if (!parsed.success || parsed.data[1] !== (order.ascending ? 'a' : 'd')) {
    throw new Invalid({ cursor: ['The cursor is not one of this list. Use meta.next_cursor of the page before.'] })
  }
  return { lastId: parsed.data[2], seen: parsed.data[3] }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
