import { byName } from '../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../kernel/failures/faults.ts'
import { maxImportMappingBytes } from '../../kernel/limits/imports.ts'
import type { Rights } from '../../kernel/permissions.ts'
import { didYouMean, shown } from '../../kernel/text/did-you-mean.ts'
import type { Table } from '../../tables/tables/table.ts'
import { importKeys, type ImportMapping, mappableFields } from './import-mapping.ts'

/** The tables that a mapping may name. A configuration document adds those that it makes. */
export interface MappedTables {
  readonly find: (name: string) => Promise<Table | undefined>
  readonly names: () => Promise<readonly string[]>
}

type Checked = Pick<ImportMapping, 'model' | 'mapping' | 'format' | 'sheet' | 'mode' | 'key' | 'legacy'>

/** The errors of a mapping against its table, by path, as far as somebody with these rights may import into it. */
export async function checkImportMapping(tables: MappedTables, rights: Rights, saved: Checked): Promise<FieldErrors> {
  const { model, mapping, format, sheet, mode, key, legacy } = saved
  const table = await tables.find(model)
  if (!table) return { model: [`There is no table ${model}.${didYouMean(model, await tables.names())}`] }
  const errors: FieldErrors = { ...errorsOfColumns(rights, table, mapping, legacy) }
  if (Object.keys(mapping).length === 0) errors.mapping = ['Map at least one column to a field.']
  if (Buffer.byteLength(JSON.stringify(mapping)) > maxImportMappingBytes)
    return { mapping: [`The mapping may not be larger than ${maxImportMappingBytes / 1024} KB.`] }
  if (sheet !== null && format !== null && format !== 'xlsx') errors.sheet = ['Only a workbook has sheets.']
  if (legacy && !rights.isAdministrator) errors.is_legacy = ['Only administrators import legacy data.']
  const wrongKey = errorOfKey(rights, table, mode ?? 'create', key, Object.values(mapping))
  if (wrongKey) errors.key = [wrongKey]
  return errors
}

function errorOfKey(
  rights: Rights,
  table: Table,
  mode: NonNullable<Checked['mode']>,
  key: string | null,
  mapped: readonly string[],
): string | undefined {
  if (mode === 'create')
    return key === null
      ? undefined
      : 'Leave out the key, or set mode to update or upsert. An import that creates finds nothing.'
  const { known, usable } = importKeys(rights, table)
  if (key === null) return `The mode ${mode} needs a key, the field by which records are found: ${usable.join(', ')}.`
  if (!usable.includes(key))
    return known.includes(key)
      ? `The ${key} field is no key: it is neither unique nor searchable. Use one of ${usable.join(', ')}.`
      : `The ${shown(key)} field is unknown.${didYouMean(key, usable)}`
  return mapped.includes(key) ? undefined : `No column is mapped to ${key}: no row would name its record.`
}

/** The errors of columns that are mapped to what is no field, or to the same one. `columns`: of the file, when there is one. */
export function errorsOfColumns(
  rights: Rights,
  table: Table,
  mapping: Readonly<Record<string, string>>,
  isLegacy: boolean,
  columns?: readonly string[],
): FieldErrors {
  const names = mappableFields(rights, table, isLegacy)
  const errors: FieldErrors = byName()
  const taken = new Map<string, string>()
  for (const [column, field] of Object.entries(mapping)) {
    const at = `mapping.${column.slice(0, 100)}`
    const earlier = taken.get(field)
    if (columns && !columns.includes(column))
      errors[at] = [`The file has no column ${shown(column)}.${didYouMean(column, columns)}`]
    else if (!names.includes(field)) errors[at] = [`The ${shown(field)} field is unknown.${didYouMean(field, names)}`]
    else if (earlier !== undefined) errors[at] = [`The column ${shown(earlier)} is mapped to ${field} as well.`]
    taken.set(field, column)
  }
  return errors
}
