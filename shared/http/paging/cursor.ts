import { Invalid } from '../../kernel/faults.ts'

/** How one value of a position is written into a cursor; `read` answers undefined for a text that was not written so. */
export interface CursorPart<T> {
  readonly write: (value: T) => string
  readonly read: (text: string) => T | undefined
}

const wholeNumber = (least: number): CursorPart<number> => ({
  write: String,
  read: (text) => (/^\d{1,15}$/.test(text) && Number(text) >= least ? Number(text) : undefined),
})

/** The parts that positions are made of. A text holds no U+0000. */
export const cursorPart = {
  id: wholeNumber(1),
  count: wholeNumber(0),
  flag: {
    write: (value) => (value ? '1' : '0'),
    read: (text) => (text === '0' || text === '1' ? text === '1' : undefined),
  } satisfies CursorPart<boolean>,
  text: (pattern: RegExp): CursorPart<string> => ({
    write: (value) => value,
    read: (text) => (pattern.test(text) ? text : undefined),
  }),
}

/** The position in a list that is read by id: the last id handed out, and how many rows come before the next. */
export const afterId = { lastId: cursorPart.id, seen: cursorPart.count }

/** Writes and reads the cursors of one list. */
export interface CursorCodec<Position> {
  /** `query`: what else tells this list from others, such as the hash of a filter. */
  write(position: Position, query?: string): string
  /** Throws Invalid on `cursor` for a damaged one, one of another list, and one written with another `query`. */
  read(cursor: string, query?: string): Position
  /** The fault of a cursor that is none of this list. */
  refusal(): Invalid
}

const separator = '\u0000'

/**
 * The cursors of the list `name`: base64url of the name, the query and the parts of a position. They are opaque to clients,
 * so a deployment may change them. `message`: what a client reads of a cursor that is none of this list.
 */
export function cursorCodec<Position extends object>(
  name: string,
  parts: { readonly [Name in keyof Position]: CursorPart<Position[Name]> },
  message = 'The cursor is not one of this list. Use meta.next_cursor of the page before.',
): CursorCodec<Position> {
  const names = Object.keys(parts) as (keyof Position)[]
  const refusal = (): Invalid => new Invalid({ cursor: [message] }, { code: 'invalid_cursor' })
  return {
    write(position, query = '') {
      let text = `${name}${separator}${query}`
      for (const part of names) text += separator + parts[part].write(position[part])
      return Buffer.from(text).toString('base64url')
    },
    read(cursor, query = '') {
      const [ofList, ofQuery, ...texts] = Buffer.from(cursor, 'base64url').toString().split(separator)
      if (ofList !== name || ofQuery !== query || texts.length !== names.length) throw refusal()
      const position: Partial<Position> = {}
      for (const [index, part] of names.entries()) {
        const value = parts[part].read(texts[index] as string)
        if (value === undefined) throw refusal()
        position[part] = value
      }
      return position as Position
    },
    refusal,
  }
}
