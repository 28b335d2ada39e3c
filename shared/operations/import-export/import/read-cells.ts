import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'

/** Whose values are remembered: the same words stand in most rows. */
const maxKnownCharacters = 64

/**
 * Reads the texts of rows as the types of their fields do; a text that stands for no value stays, so that the check of the
 * row names it. A field without text is left out. What is no text stays as it is.
 */
export function readCells(table: Table, rows: readonly unknown[]): readonly unknown[] {
  const readers = new Map(table.table_fields.map((field) => [field.name, rememberingReader(field)]))
  return rows.map((row) =>
    typeof row !== 'object' || row === null || Array.isArray(row)
      ? row
      : Object.fromEntries(
          Object.entries(row).flatMap(([name, value]) => {
            const read = readers.get(name)
            if (!read || typeof value !== 'string') return [[name, value]]
            return value === '' ? [] : [[name, read(value)]]
          }),
        ),
  )
}

function rememberingReader(field: Table['table_fields'][number]): (text: string) => unknown {
  const { readCell } = typeOfField(field)
  const known = new Map<string, unknown>()
  return (text) => {
    if (text.length > maxKnownCharacters) return readCell(field, text)
    if (!known.has(text)) known.set(text, readCell(field, text))
    return known.get(text)
  }
}
