import { Invalid } from '../../kernel/faults.ts'

/** Where a walk through a list stands: the last id handed out, and how many rows came before the next. */
export interface ListCursor {
  readonly lastId: number
  readonly seen: number
}

export const writeListCursor = ({ lastId, seen }: ListCursor): string =>
  Buffer.from(`${lastId}.${seen}`).toString('base64url')

/** Throws Invalid naming `cursor` for what no page of such a list has handed out. */
export function readListCursor(text: string): ListCursor {
  const match = /^(\d{1,12})\.(\d{1,12})$/.exec(Buffer.from(text, 'base64url').toString())
  if (!match)
    throw new Invalid(
      { cursor: ['The cursor is not one of this list. Use meta.next_cursor of the page before.'] },
      { code: 'invalid_cursor' },
    )
  return { lastId: Number(match[1]), seen: Number(match[2]) }
}
