import { byName } from '../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../kernel/failures/faults.ts'
import { openSuggestions } from '../../../kernel/text/did-you-mean.ts'
import { momentInZone } from '../../../kernel/time/zone-offsets.ts'
import type { Actor } from '../../../records/records/actor.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import { defaultLabel } from '../../../tables/tables/administration/save-table.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { errorsOfColumns } from '../../import-mappings/check-mapping.ts'
import { mappableFields } from '../../import-mappings/import-mapping.ts'
import { UnreadableCell } from './xlsx/read-cell.ts'

/** Column of a file to field. */
export type Mapping = Readonly<Record<string, string>>

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Proposes a field for each column: by its name, by its label, both whatever their case, spaces and underscores, and then
 * by the nearest name. No field is proposed twice.
 */
export function proposeMapping(
  actor: Actor,
  table: Table,
  columns: readonly string[],
  { guesses = true, isLegacy = false } = {},
): Mapping {
  const names = mappableFields(actor, table, isLegacy)
  const known = new Map<string, string>()
  for (const name of names) known.set(plain(name), name)
  for (const field of table.table_fields) {
    const label = plain(field.label ?? defaultLabel(field.name))
    if (names.includes(field.name) && !known.has(label)) known.set(label, field.name)
  }
  const mapping = byName<string>()
  const taken = new Set<string>()
  const take = (column: string, field: string | undefined): void => {
    if (field === undefined || taken.has(field)) return
    taken.add(field)
    mapping[column] = field
  }
  for (const column of columns) if (names.includes(column)) take(column, column)
  for (const column of columns) if (mapping[column] === undefined) take(column, known.get(plain(column)))
  if (!guesses) return mapping
  const nearest = openSuggestions()
  for (const column of columns) {
    if (mapping[column] !== undefined) continue
    const open = [...known].filter(([, field]) => !taken.has(field)).map(([word]) => word)
    const word = plain(column).length > 2 ? nearest(plain(column), open) : undefined
    take(column, word === undefined ? undefined : known.get(word))
  }
  return mapping
}

/** Checks a mapping against its file and table. Throws Invalid naming what is wrong. */
export function requireMapping(
  actor: Actor,
  table: Table,
  columns: readonly string[],
  mapping: Mapping,
  isLegacy: boolean,
): void {
  const errors = errorsOfColumns(actor, table, mapping, isLegacy, columns)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

/** Rows with the names of fields, and the fields of rows whose cells hold no value, with why. */
export interface MappedRows {
  readonly rows: readonly unknown[]
  readonly unreadable: ReadonlyMap<number, FieldErrors>
}

/** The rows of a file with the names of fields. Dates of workbooks are those of the tenant's zone. */
export function mapRows(table: Table, rows: readonly unknown[], mapping: Mapping, timeZone: string): MappedRows {
  const columns = Object.entries(mapping)
  const unreadable = new Map<number, FieldErrors>()
  const read = (field: string, value: unknown): unknown => {
    if (!(value instanceof Date)) return value
    const local = value.toISOString()
    const type = table.fieldsByName.get(field)
    const kind = type ? typeOfField(type).kind : 'datetime'
    if (kind === 'datetime') return new Date(momentInZone(value.getTime(), timeZone)).toISOString()
    return kind === 'date' || local.endsWith('T00:00:00.000Z') ? local.slice(0, 10) : local.slice(0, 19)
  }
  const mapped = rows.map((row, index) =>
    typeof row !== 'object' || row === null || Array.isArray(row)
      ? row
      : Object.fromEntries(
          columns.flatMap(([column, field]) => {
            if (!Object.hasOwn(row, column)) return []
            const value = (row as Record<string, unknown>)[column]
            if (!(value instanceof UnreadableCell)) return [[field, read(field, value)]]
            unreadable.set(index, { ...unreadable.get(index), [field]: [value.message] })
            return []
          }),
        ),
  )
  return { rows: mapped, unreadable }
}
