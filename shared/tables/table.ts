import type { FieldErrors } from '../kernel/faults.ts'
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

export interface SlotAssignment {
  readonly field: string
  readonly slot: number
  /** False while records exist that were written before the field: those have no entry for "no value" yet. */
  readonly covers_missing: boolean
  /** Records are being written into it: writers write it, readers do not see it yet. */
  readonly building?: true
}

/** How far the postings and counters of a table can be relied on. */
export interface SearchIndexState {
  /** The number in the keys of the postings and counters that are written. */
  readonly generation: number
  /** Generations that are being replaced: their postings are read as well until every record has moved. */
  readonly replaced?: readonly number[]
  /** The fields whose counters know every record. */
  readonly counted: readonly string[]
}

/** What the configuration row of a table holds. */
export interface StoredTable {
  readonly id: number
  readonly label: string
  readonly title_field: string | null
  readonly table_fields: readonly Field[]
  readonly automations: readonly Automation[]
  /** Fields once left out of a PUT: their values stay stored and their names keep their type. */
  readonly retired: readonly Field[]
  readonly slots: readonly SlotAssignment[]
  readonly search_index?: SearchIndexState
  /** Unique fields whose records do not all hold their values yet: a job is taking them. */
  readonly becoming_unique?: readonly string[]
  /** The table's version at which a field became unique, for those that were not so from the start: their guards carry it. */
  readonly unique_since?: Readonly<Record<string, number>>
  /** The job that brings the records into step with the table. */
  readonly rebuilding?: { readonly job_id: number }
  /** A process template was bound to the table at some time: its changes are told to processes. */
  readonly has_processes?: true
}

/** A table ready for work: parsed once per configuration version and instance. */
export interface Table extends StoredTable {
  readonly name: string
  readonly version: number
  readonly is_system: boolean
  readonly fieldsByName: ReadonlyMap<string, Field>
  /** What readers may use: no slot that is still being built. */
  readonly slots: readonly SlotAssignment[]
  /** What every write of a record maintains. */
  readonly writtenSlots: readonly SlotAssignment[]
  readonly search_index: SearchIndexState
  /** Retired ones included: the records that hold their values still do. */
  readonly uniqueFields: readonly string[]
}

/** The table that a field's values are ids of; undefined for fields that refer to no record. */
export function referencedTable(field: Field): string | undefined {
  if (field.type === 'model_list') return field.target_table
  if (field.type === 'company') return 'sys_companies'
  if (field.type === 'org_unit') return 'sys_org_units'
  return undefined
}

export const isSystemName = (name: string): boolean => name.startsWith('sys_')

/** The document of a table's configuration row, as it is written back. */
export const readStoredTable = (row: ConfigRow): StoredTable => row.doc as StoredTable

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

export const tableHead = (table: Table): TableHead => ({
  id: table.id,
  name: table.name,
  label: table.label,
  is_system: table.is_system,
  fields_count: table.table_fields.length,
})

/** The document as readers see it; the source of hooks is for administrators. */
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

/** Collects messages under their paths. */
export class ErrorList {
  readonly errors: FieldErrors = {}

  add(path: string, message: string): void {
    ;(this.errors[path] ??= []).push(message)
  }

  get any(): boolean {
    return Object.keys(this.errors).length > 0
  }
}

/** Types that get an index unless a field says otherwise (contract §2). */
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
