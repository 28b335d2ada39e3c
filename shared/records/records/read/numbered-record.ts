import type { Table } from '../../../tables/tables/table.ts'

const number = /^#?(\d{1,15})$/
const prefixed = /^(.*\D)(\d{1,15})$/u

/** Whether a text is nothing but a number, which may be the id of a record: `42`, `#42`. */
export const isNumber = (text: string): boolean => number.test(text.trim())

/**
 * The ids that a text may stand for in a table: itself, and that of a record whose `auto_number` it is, with its prefix
 * and zeros or without them. `readable`: the fields that a caller may read; undefined: all.
 */
export function idsNamed(
  { table_fields: fields }: Pick<Table, 'table_fields'>,
  readable: ReadonlySet<string> | undefined,
  text: string,
): readonly number[] {
  const asked = text.trim()
  const bare = number.exec(asked)?.[1]
  const [, before = '', digits = ''] = prefixed.exec(asked) ?? []
  const ids = fields.flatMap((field) => {
    if (field.type !== 'auto_number' || readable?.has(field.name) === false) return []
    const { prefix = '', start = 1 } = field
    if (bare !== undefined) return [Number(bare) - start + 1]
    // The number of a record is its id, counted from the start of the field.
    return digits && before.toLowerCase() === prefix.toLowerCase() ? [Number(digits) - start + 1] : []
  })
  return [...new Set([...(bare === undefined ? [] : [Number(bare)]), ...ids])].filter((id) => id > 0)
}
