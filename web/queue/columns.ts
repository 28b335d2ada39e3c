import { type Field, fieldsOf, type Table } from '../api/tables.ts'
import { conversationFields, isStandard, moduleOf, standardFields } from '../fields/registry.ts'

const shownAtFirst = 6
/** They take much room, or say little in a list. */
const hiddenAtFirst: ReadonlySet<string> = new Set(['textarea', 'json', 'file', 'image', 'point'])

/** All fields that a list of the table can show. */
export const listableFields = (table: Table): readonly Field[] => [
  ...fieldsOf(table),
  ...conversationFields,
  ...standardFields,
]

/** The columns of a list: those that were chosen, else the title and the first that say something at a glance. */
export function columnsOf(table: Table, chosen: readonly string[] | undefined): readonly Field[] {
  const all = listableFields(table)
  if (chosen) {
    // A column of the referenced record (`client_id.name`) is shown as its title.
    const names = new Set(chosen.map((name) => (isStandard(name) ? name : name.split('.', 1)[0])))
    const found = [...names].flatMap((name) => all.find((field) => field.name === name) ?? [])
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

const checkboxWidth = 36
/** What a column still says something in. */
const leastWidth = 112
/** The title gets more of the room that is left. */
const titleShare = 2

/** The columns as CSS: they share the room by what their values need, and the list scrolls where even the least is too wide. */
export function gridTemplate(columns: readonly Field[], titleField: string | null): { columns: string; least: string } {
  const widths = columns.map((field) => {
    if (field.name === 'id') return { least: idWidth, css: `${idWidth}px` }
    const { width } = moduleOf(field)
    const isTitle = field.name === titleField
    const least = isTitle ? width : Math.min(width, leastWidth)
    return { least, css: `minmax(${least}px, ${isTitle ? width * titleShare : width}fr)` }
  })
  return {
    columns: [`${checkboxWidth}px`, ...widths.map(({ css }) => css)].join(' '),
    least: `${widths.reduce((sum, { least }) => sum + least, checkboxWidth)}px`,
  }
}

/** A narrow list has one column. */
export const narrowTemplate = { columns: `${checkboxWidth}px minmax(0, 1fr)`, least: '0' }

/** The only column of a narrow list. */
export const titleColumn = (columns: readonly Field[], titleField: string | null): readonly Field[] =>
  columns.filter(({ name }, index) => (titleField === null ? index === 0 : name === titleField)).slice(0, 1)

/** Numbers are read by their last digit; the number of a record is a name. */
export const isAtEnd = (field: Field): boolean => moduleOf(field).align === 'end' && field.name !== 'id'

/** The next order of a column: up, down, none. */
export function nextSort(sort: readonly string[] | undefined, name: string): readonly string[] | undefined {
  if (sort?.[0] === name) return [`-${name}`]
  return sort?.[0] === `-${name}` ? undefined : [name]
}
