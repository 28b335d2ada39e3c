import { own } from '../../../kernel/collections/own-members.ts'
import { peopleTarget } from '../../../lists/query/grammar/field.ts'
import { fieldAt } from '../../../lists/query/grammar/resolve-field.ts'
import type { ListedRecord } from '../../../lists/query/schema.ts'
import type { ValueKind } from '../../../tables/field-types/declaration.ts'
import { choicesOf, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'

/** A column of an exported file. */
export interface ExportColumn {
  /** `status`, `client_id.name`. */
  readonly name: string
  readonly label: string
  /** How its values compare; undefined for a step that the viewer may not take. */
  readonly kind: ValueKind | undefined
  /** The value as records have it. */
  read(record: ListedRecord): unknown
  /** The value as a cell of text that an import reads back. */
  readCell(record: ListedRecord): unknown
  /** The value as people read it: labels of options and states, titles of referenced records. */
  readLabel(record: ListedRecord): unknown
}

const standardLabels: Readonly<Record<string, string>> = {
  id: 'ID',
  created_by: 'Created by',
  created_at: 'Created at',
  updated_by: 'Updated by',
  updated_at: 'Updated at',
  version: 'Version',
}
const standardColumns = Object.keys(standardLabels).slice(1)
const conversationLabels: Readonly<Record<string, string>> = {
  'conversation.awaits': 'Waits for',
  'conversation.last_at': 'Last message',
}

/** What the columns of a file depend on. */
export interface ColumnSource {
  readonly table: Table
  /** The tables that fields refer to, by name. */
  readonly targets: ReadonlyMap<string, Table>
  /** The fields of the table that the viewer may read; undefined: all. */
  readonly readable: ReadonlySet<string> | undefined
}

/** The columns of a file, `id` first. `fields` are those of the query; default: every field of the table. */
export function exportColumns(source: ColumnSource, fields: readonly string[] | null | undefined): ExportColumn[] {
  const { table, readable } = source
  const hidden = new Set(readable && table.table_fields.map(({ name }) => name).filter((name) => !readable.has(name)))
  return columnNames(table, fields)
    .filter((column) => !hidden.has(column.split('.')[0] as string))
    .map((column) => exportColumn(source, column))
}

/** The columns of the titles that `exportColumns` shows in place of references: `client_id.name`. */
export function titleFields(
  { table, targets }: Omit<ColumnSource, 'readable'>,
  fields: readonly string[] | null | undefined,
): string[] {
  return columnNames(table, fields).flatMap((name) => {
    if (name.includes('.')) return []
    const title = titleOf(fieldAt(table, targets, name)?.refersTo, targets)
    return title === undefined ? [] : [`${name}.${title}`]
  })
}

function columnNames({ table_fields }: Table, fields: readonly string[] | null | undefined): string[] {
  const every = [...table_fields.map(({ name }) => name), ...standardColumns]
  const columns = fields?.flatMap((field) => (field.trim() === '*' ? every : [field.trim()])) ?? every
  return ['id', ...new Set(columns.filter((name) => name !== 'id'))]
}

function exportColumn({ table, targets }: ColumnSource, name: string): ExportColumn {
  const [first = '', step] = name.split('.')
  const ownLabel = labelOf(table, first)
  const field = fieldAt(table, targets, name)
  // A table may have a field of this name.
  const ofConversation = table.fieldsByName.has(first) ? undefined : own(conversationLabels, name)
  const target = targets.get(fieldAt(table, targets, first)?.refersTo ?? '')
  const read = (record: ListedRecord): unknown =>
    step === undefined
      ? memberOf(record, first)
      : ofConversation === undefined
        ? memberOf(expandedIn(record, first), step)
        : own(record.conversation as Record<string, unknown> | undefined, step)
  const title = step === undefined ? titleOf(field?.refersTo, targets) : undefined
  const labels = optionLabels(field?.definition)
  const writeCell = cellWriter(field?.definition)
  return {
    name,
    label: ofConversation ?? (step === undefined ? ownLabel : `${ownLabel}: ${target ? labelOf(target, step) : step}`),
    kind: field?.kind,
    read,
    readCell(record) {
      const value = read(record)
      return value === null || value === undefined ? value : (writeCell?.(value) ?? value)
    },
    readLabel(record) {
      const value = read(record)
      // A record that the viewer may not see has no title: its id stays.
      if (title !== undefined) return memberOf(expandedIn(record, first), title) ?? value
      return Array.isArray(value) && labels.size > 0
        ? value.map((one) => labels.get(one as string) ?? String(one)).join('; ')
        : (labels.get(value as string) ?? value)
    },
  }
}

/** The field that names a record; people are named by `name`. */
function titleOf(refersTo: string | undefined, targets: ReadonlyMap<string, Table>): string | undefined {
  if (refersTo === undefined) return undefined
  return refersTo === peopleTarget ? 'name' : (targets.get(refersTo)?.title_field ?? undefined)
}

const labelOf = (table: Table, name: string): string =>
  table.fieldsByName.get(name)?.label ?? own(standardLabels, name) ?? name

function cellWriter(field: Field | undefined): ((value: unknown) => string) | undefined {
  const writeCell = field && typeOfField(field).writeCell
  return writeCell && ((value) => writeCell(field, value))
}

const optionLabels = (field: Field | undefined): ReadonlyMap<string, string> =>
  new Map(((field && choicesOf(field)) ?? []).flatMap(({ slug, label }) => (label ? [[slug, label]] : [])))

const expandedIn = (record: ListedRecord, name: string): Partial<ListedRecord> | null | undefined =>
  own(record.expanded, name) as Partial<ListedRecord> | null | undefined

/** A standard member, or a field of the table. */
function memberOf(record: Partial<ListedRecord> | null | undefined, name: string): unknown {
  if (!record) return null
  return record.data && Object.hasOwn(record.data, name)
    ? record.data[name]
    : own(record as Record<string, unknown>, name)
}
