import { mayOnTable, type Rights } from '../../kernel/permissions.ts'
import type { RowTimes } from '../../platform/store/config.ts'
import type { Table } from '../../tables/tables/table.ts'
import { mappableFields } from './mappable-fields.ts'
import type { ImportFormat, ImportMode } from './schema.ts'

/** Which columns of a file are which fields of a table, and how its rows are stored, under a name. */
export interface ImportMapping extends RowTimes {
  readonly id: number
  readonly name: string
  readonly model: string
  readonly mapping: Readonly<Record<string, string>>
  readonly format: ImportFormat | null
  readonly sheet: string | null
  readonly mode: ImportMode | null
  readonly key: string | null
  readonly legacy: boolean
  /** The user who made it. */
  readonly owner: number
  readonly version: number
}

export const mayImport = (rights: Rights, model: string): boolean =>
  mayOnTable(rights, model, 'create') || mayOnTable(rights, model, 'update')

/** Whether somebody may know a mapping: it names no field that is hidden from them. What the table no longer has hides nothing. */
export function maySeeMapping(rights: Rights, table: Table, { mapping, key }: ImportMapping): boolean {
  const open = new Set(mappableFields(rights, table, true))
  return [...Object.values(mapping), ...(key === null ? [] : [key])].every(
    (name) => open.has(name) || !table.fieldsByName.has(name),
  )
}
