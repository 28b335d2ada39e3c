import type { ConfigRow } from '../store/config.ts'
import type { Field, FieldType, TableDocument, TableHead } from './schema.ts'

export interface Automation {
  readonly id: number
  readonly kind: TableDocument['automations'][number]['kind']
  readonly name: string
  readonly script: string
  readonly is_active: boolean
  readonly position: number
}

/** The slot of a field. */
export interface SlotAssignment {
  readonly field: string
  readonly slot: number
  /** False while records may exist that were written before the field: those have no entry for "no value". */
  readonly covers_missing: boolean
  /** A rebuild is filling the slot: writers maintain it, readers do not use it yet. */
  readonly building?: true
}

/** The state of a table's postings and counters. */
export interface SearchIndexState {
  /** The generation that is written; part of the keys of postings and counters (docs/decisions/0015). */
  readonly generation: number
  /** Generations that are being replaced: searches read them as well until every record has moved. */
  readonly replaced?: readonly number[]
  /** The fields whose counters are complete. */
  readonly counted: readonly string[]
}

/** The document in the configuration row of a table. */
export interface StoredTable {
  readonly id: number
  readonly label: string
  readonly title_field: string | null
  readonly table_fields: readonly Field[]
  readonly automations: readonly Automation[]
  /** Fields removed while the table had records: their values stay stored and their names keep their type. */
  readonly retired: readonly Field[]
  readonly slots: readonly SlotAssignment[]
  readonly search_index?: SearchIndexState
  /** Unique fields for which a rebuild is still writing the guards of existing values. */
  readonly becoming_unique?: readonly string[]
  /** The table version at which a field became unique later than it was added; part of the keys of its guards. */
  readonly unique_since?: Readonly<Record<string, number>>
  /** The job that applies the configuration to the records. */
  readonly rebuilding?: { readonly job_id: number }
  /** A process template is or was bound to the table: changes of records are sent to processes. */
  readonly has_processes?: true
}

/** A table as requests use it, parsed once per configuration version and function instance. */
export interface Table extends StoredTable {
  readonly name: string
  readonly version: number
  readonly is_system: boolean
  readonly fieldsByName: ReadonlyMap<string, Field>
  /** The slots that readers may use: none that a rebuild is still filling. */
  readonly slots: readonly SlotAssignment[]
  /** The slots that every write of a record maintains. */
  readonly writtenSlots: readonly SlotAssignment[]
  readonly search_index: SearchIndexState
  /** Retired fields included: their records still have guards. */
  readonly uniqueFields: readonly string[]
}

/** The table that a field refers to; undefined for fields that refer to no record. */
export function referencedTable(field: Field): string | undefined {
  if (field.type === 'model_list') return field.target_table
  if (field.type === 'company') return 'sys_companies'
  if (field.type === 'org_unit') return 'sys_org_units'
  return undefined
}

export const isSystemName = (name: string): boolean => name.startsWith('sys_')

/** The document of a table's configuration row, to change it and write it back. */
export const readStoredTable = (row: ConfigRow): StoredTable => row.doc as StoredTable

/** Parses a table's configuration row. */
export function readTable(row: ConfigRow): Table {
  const stored = readStoredTable(row)
  return {
    ...stored,
    name: row.name,
    version: row.version,
    is_system: isSystemName(row.name),
    slots: stored.slots.filter(({ building }) => !building),
    writtenSlots: stored.slots,
    search_index: stored.search_index ?? { generation: 0, counted: [] },
    fieldsByName: new Map(stored.table_fields.map((field) => [field.name, field])),
    uniqueFields: [...stored.table_fields, ...stored.retired]
      .filter((field) => field.unique)
      .map((field) => field.name),
  }
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
  table_fields: [...table.table_fields],
  automations: table.automations.map(({ script, ...head }) => (withScripts ? { ...head, script } : head)),
  relations,
  ...(rebuilding && { rebuilding }),
})

/** Types that are indexed unless the field says otherwise (contract §2). */
export const indexedByDefault: ReadonlySet<FieldType> = new Set([
  'value_list',
  'state_model',
  'boolean',
  'integer',
  'date',
  'datetime',
  'user',
  'model_list',
  'company',
  'org_unit',
])
export const neverIndexed: ReadonlySet<FieldType> = new Set(['point', 'file', 'image'])
