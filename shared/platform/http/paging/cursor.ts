import { Invalid } from '../../../kernel/failures/faults.ts'

/**
 * Writes one value of a position as text, and reads it back. `read` answers undefined for a text that `write` cannot
 * produce.
 */
export interface CursorPart<T> {
  readonly write: (value: T) => string
  readonly read: (text: string) => T | undefined
}

const wholeNumber = (least: number): CursorPart<number> => ({
  write: String,
  read: (text) => (/^\d{1,15}$/.test(text) && Number(text) >= least ? Number(text) : undefined),
})

/** A value of a record in a position; null for none. */
type CursorValue = string | number | boolean | null

const values: CursorPart<readonly CursorValue[]> = {
  write: (list) => JSON.stringify(list),
  read(text) {
    try {
      const list: unknown = JSON.parse(text)
      return Array.isArray(list) && list.every(isValue) ? list : undefined
    } catch {
      return undefined
    }
  },
}

const isValue = (value: unknown): value is CursorValue => value === null || typeof value !== 'object'

/** The kinds of values in positions. A text must not contain U+0000. */
export const cursorPart = {
  values,
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

/** The position in a list ordered by id: the last id answered, and the number of rows before the next one. */
export const afterId = { lastId: cursorPart.id, seen: cursorPart.count }

/** Writes and reads the cursors of one list. */
export interface CursorCodec<Position> {
  /** `query` distinguishes lists of one name, for example by the hash of a filter. */
  write(position: Position, query?: string): string
  /** Throws Invalid naming `cursor` when it is damaged, or was written for another list or another `query`. */
  read(cursor: string, query?: string): Position
  /** The fault for a cursor that does not belong to this list. */
  refusal(): Invalid
}

const separator = '\u0000'

/**
 * A codec for the cursors of the list `name`: base64url of the name, the query and the position. Clients treat cursors
 * as opaque, so a deployment may change their format. `message` is the text of the 422 for a cursor of another list.
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
