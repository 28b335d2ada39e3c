import { type Field, fieldsOf, type Table } from '../api/tables.ts'
import { moduleOf, standardFields } from '../fields/registry.ts'

const shownAtFirst = 6
/** They take much room, or say little in a list. */
const hiddenAtFirst: ReadonlySet<string> = new Set(['textarea', 'json', 'file', 'image', 'point'])

/** All fields that a list of the table can show. */
export const listableFields = (table: Table): readonly Field[] => [...fieldsOf(table), ...standardFields]

/** The columns of a list: those that were chosen, else the title and the first that say something at a glance. */
export function columnsOf(table: Table, chosen: readonly string[] | undefined): readonly Field[] {
  const all = listableFields(table)
  if (chosen) {
    const found = chosen.flatMap((name) => all.find((field) => field.name === name) ?? [])
    if (found.length > 0) return found
  }
  const own = fieldsOf(table)
  const title = own.filter(({ name }) => name === table.title_field)
  const others = own.filter((field) => !title.includes(field) && !hiddenAtFirst.has(field.type))
  const updated = standardFields.filter(({ name }) => name === 'updated_at')
  return [...standardFields.slice(0, 1), ...title, ...others.slice(0, shownAtFirst - title.length), ...updated]
}

/** References whose record the list brings along. */
export const expandsOf = (columns: readonly Field[]): readonly string[] =>
  columns.filter((field) => moduleOf(field).expands).map(({ name }) => name)

/** The width of the number of a record. */
const idWidth = 64

/** The columns as CSS: the title takes the room that is left. */
export const gridTemplate = (columns: readonly Field[], titleField: string | null): string =>
  [
    '36px',
    ...columns.map((field) => {
      const { width } = moduleOf(field)
      if (field.name === 'id') return `${idWidth}px`
      return field.name === titleField ? `minmax(${width}px, 1fr)` : `${width}px`
    }),
  ].join(' ')

/** Numbers are read by their last digit; the number of a record is a name. */
export const isAtEnd = (field: Field): boolean => moduleOf(field).align === 'end' && field.name !== 'id'

/** The next order of a column: up, down, none. */
export function nextSort(sort: readonly string[] | undefined, name: string): readonly string[] | undefined {
  if (sort?.[0] === name) return [`-${name}`]
  return sort?.[0] === `-${name}` ? undefined : [name]
}
