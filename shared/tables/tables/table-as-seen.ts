import { isDeepStrictEqual } from 'node:util'
import { mayOnTable, permittedFields, type Rights } from '../../kernel/permissions.ts'
import { standardFields } from '../../kernel/table-names.ts'
import { fieldsInCondition, typeOfField } from '../field-types/service.ts'
import { namesInFormulas } from '../formulas/service.ts'
import type { Field } from './schema.ts'
import type { Table } from './table.ts'

/** Whether field rules hide a field of a table from somebody. Names that the table lacks hide nothing. */
const hides = (
  rights: Rights,
  { name: table, fieldsByName }: Pick<Table, 'name' | 'fieldsByName'>,
  name: string,
): boolean => fieldsByName.has(name) && permittedFields(rights, table, 'read')?.has(name) === false

/**
 * A table as somebody sees it whom field rules limit: without the conditions, formulas and filters that name a field hidden
 * from them, because these tell of its values, and without the default of such a field. The same table where none do.
 */
export async function tableAsSeen(rights: Rights, table: Table): Promise<Table> {
  if (rights.isAdministrator) return table
  const readable = permittedFields(rights, table.name, 'read')
  const formulas = readable && (await namesInFormulas(table.table_fields))
  const seen = table.table_fields.map((field) => {
    const own = readable ? withoutHidden(rights, table, field, formulas?.get(field.name)) : field
    return withoutHiddenRollup(rights, own)
  })
  if (seen.every((field, index) => field === table.table_fields[index])) return table
  return { ...table, table_fields: seen, fieldsByName: new Map(seen.map((field) => [field.name, field])) }
}

function withoutHidden(rights: Rights, table: Table, field: Field, names: ReadonlySet<string> = new Set()): Field {
  const isHidden = (name: string): boolean => hides(rights, table, name)
  const isUnknown = isHidden(field.name)
  const tells = (condition: unknown): boolean => fieldsInCondition(condition).some(isHidden)
  const maySet = (name: string): boolean => permittedFields(rights, table.name, 'update')?.has(name) !== false
  const dropped = new Set<string>([
    ...(['required_if', 'readonly_if', 'visible_if'] as const).filter((at) => tells(field[at])),
    ...(isUnknown || [...names].some(isHidden) ? ['formula'] : []),
    ...(isUnknown ? ['default'] : []),
  ])
  const moves = typeOfField(field).lifecycle?.moves(field) ?? []
  const transitions = moves.map(({ condition, required_fields, ...move }) => ({
    ...move,
    ...(condition && !tells(condition) && { condition }),
    ...(required_fields && { required_fields: required_fields.filter((name) => !isHidden(name) || maySet(name)) }),
  }))
  const seen = {
    ...Object.fromEntries(Object.entries(field).filter(([setting]) => !dropped.has(setting))),
    ...(moves.length > 0 && { transitions }),
  } as Field
  return isDeepStrictEqual(seen, field) ? field : seen
}

/** What a rollup says of the table that it rolls up: its own field rules count. */
function withoutHiddenRollup(rights: Rights, field: Field): Field {
  const of = typeOfField(field).rollsUp?.(field)
  if (field.type !== 'rollup' || of === undefined) return field
  const readable = mayOnTable(rights, of.table, 'read') ? permittedFields(rights, of.table, 'read') : new Set<string>()
  if (readable === undefined) return field
  const { filter, of: value, ...rest } = field
  const isTold = (name: string): boolean => readable.has(name) || standardFields.has(name)
  if (fieldsInCondition(filter).every(isTold) && (value === undefined || isTold(value))) return field
  return { ...rest, ...(value !== undefined && isTold(value) && { of: value }) } as Field
}
