import type { ConfigRow, RowTimes } from '../../platform/store/config.ts'
import { storedName, type StoredNames } from '../../platform/store/rows/stored-names.ts'
import type { RolledUpBy } from '../../platform/store/rows/touched-rollups.ts'
import { foldsCase, referencedTable, typeOfField } from '../field-types/read-field.ts'
import { namesOfRetired, type RetiredField } from './retired-fields.ts'
import type { Field, TableDocument, TableHead } from './schema.ts'

export interface Automation {
  readonly id: number
  readonly kind: TableDocument['automations'][number]['kind']
  readonly name: string
  readonly script: string
  readonly is_active: boolean
  readonly position: number
}

/** Renames that one change of a table made. */
interface RenameEntry {
  readonly version: number
  readonly at: string
  readonly renames: Readonly<Record<string, string>>
}

/** The document in the configuration row of a table. */
export interface StoredTable {
  readonly id: number
  readonly label: string
  readonly title_field: string | null
  readonly table_fields: readonly Field[]
  readonly automations: readonly Automation[]
  /** Fields removed while the table had records: their values stay stored and their names keep their type. */
  readonly retired: readonly RetiredField[]
  /** Under which names records store fields that were renamed, by the names of these. */
  readonly stored_as?: Readonly<Record<string, string>>
  /** The former names that the last document gave its fields (`renamed_from`), by their names. */
  readonly renamed?: Readonly<Record<string, string>>
  /** The last renames of fields, oldest first: by which version, when, and the new names by the former ones. */
  readonly rename_log?: readonly RenameEntry[]
  /** Unique fields for which a rebuild is still writing the guards of existing values. */
  readonly becoming_unique?: readonly string[]
  /** The table version at which a field became unique later than it was added; part of the keys of its guards. By the
   * name under which records store the field. */
  readonly unique_since?: Readonly<Record<string, number>>
  /** The job that applies the configuration to the records. With `columns` it makes the column index anew, with
   * `derived` the values of computed fields and rollups. */
  readonly rebuilding?: { readonly job_id: number; readonly columns?: true; readonly derived?: true }
  /** A process template is or was bound to the table: changes of records are sent to processes. */
  readonly has_processes?: true
  /** The table is or was subscribed to: changes of records are sent to the evaluation of subscriptions. */
  readonly has_subscriptions?: true
  /** The fields by which its records count in rollups of other tables, once there are or were such rollups. */
  readonly rolled_up_by?: readonly RolledUpBy[]
}

/** A table as requests use it, parsed once per configuration version and function instance. */
export interface Table extends StoredTable, RowTimes {
  readonly name: string
  readonly version: number
  readonly is_system: boolean
  readonly fieldsByName: ReadonlyMap<string, Field>
  /** Retired fields included: their records still have guards. */
  readonly uniqueFields: readonly string[]
  /** Of these, the ones whose values are the same in upper and lower case. */
  readonly foldedFields: ReadonlySet<string>
  /** How records store the fields; undefined while each is stored under its own name. */
  readonly storedNames?: StoredNames
  /** The stored names of fields that no list asks about, so that no column holds them; undefined for none. */
  readonly opaqueFields?: readonly string[]
  /** The fields with `on_delete: restrict`, with the tables that they refer to; undefined for none. */
  readonly restrictingFields?: ReadonlyMap<string, string>
}

export const isSystemName = (name: string): boolean => name.startsWith('sys_')

/** Keys that no body may have, as `inspectJson` refuses them: neither a field nor a table could be named in one. */
export const unusableNames: ReadonlySet<string> = new Set(['constructor', 'prototype'])

/** Why a new table may not have this name; undefined when it may. */
export const reservedTableName = (name: string): string | undefined => {
  if (isSystemName(name)) return 'Names beginning with sys_ are reserved.'
  return unusableNames.has(name) ? `The name ${name} is reserved: choose another one.` : undefined
}

/** The document of a table's configuration row, to change it and write it back. */
export const readStoredTable = (row: ConfigRow): StoredTable => row.doc as StoredTable

/** Parses a table's configuration row. */
export function readTable(row: ConfigRow): Table {
  const stored = readStoredTable(row)
  const retired = namesOfRetired(stored)
  const storedNames = storedNamesOf(stored, retired)
  const unique = [...stored.table_fields, ...retired].filter((field) => field.unique)
  const opaqueFields = [...stored.table_fields, ...retired]
    .filter((field) => typeOfField(field).kind === 'opaque')
    .map(({ name }) => storedName({ storedNames }, name))
  const restrictingFields = new Map(
    stored.table_fields.flatMap((field): [string, string][] => {
      const target = typeOfField(field).onDelete?.(field) === 'restrict' ? referencedTable(field) : undefined
      return target === undefined ? [] : [[field.name, target]]
    }),
  )
  return {
    ...stored,
    retired,
    ...(storedNames && { storedNames }),
    ...(opaqueFields.length > 0 && { opaqueFields }),
    ...(restrictingFields.size > 0 && { restrictingFields }),
    name: row.name,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    is_system: isSystemName(row.name),
    fieldsByName: new Map(stored.table_fields.map((field) => [field.name, field])),
    uniqueFields: unique.map(({ name }) => name),
    foldedFields: new Set(
      [...unique.filter(foldsCase), ...stored.table_fields.filter((field) => typeOfField(field).ignoresCase)].map(
        ({ name }) => name,
      ),
    ),
  }
}

function storedNamesOf(
  { stored_as: own = {} }: StoredTable,
  retired: readonly RetiredField[],
): StoredNames | undefined {
  const storedByName = new Map(Object.entries(own))
  for (const { name, stored_as: stored } of retired)
    if (stored !== undefined && stored !== name) storedByName.set(name, stored)
  return storedByName.size === 0
    ? undefined
    : { storedByName, nameByStored: new Map([...storedByName].map(([name, stored]) => [stored, name])) }
}

/** A table in a list of tables. */
export const tableHead = (table: Table): TableHead => ({
  id: table.id,
  name: table.name,
  label: table.label,
  is_system: table.is_system,
  fields_count: table.table_fields.length,
})

/** A table's document in an answer. Only administrators get the source of hooks (`withScripts`). */
export const tableDocument = (
  table: Table,
  relations: TableDocument['relations'],
  withScripts: boolean,
  rebuilding?: TableDocument['rebuilding'],
): TableDocument => ({
  id: table.id,
  name: table.name,
  label: table.label,
  is_system: table.is_system,
  title_field: table.title_field,
  version: table.version,
  created_at: table.createdAt ?? null,
  updated_at: table.updatedAt ?? null,
  table_fields: [...table.table_fields],
  automations: table.automations.map(({ script, ...head }) => (withScripts ? { ...head, script } : head)),
  relations: relations.map(({ id, name, l_table, r_table, version }) => ({ id, name, l_table, r_table, version })),
  ...(rebuilding && { rebuilding }),
})
