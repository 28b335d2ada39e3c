import { isDeepStrictEqual } from 'node:util'
import { permittedFields, type Rights } from '../../../kernel/permissions.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import { namesInFormulas } from '../../../tables/formulas/service.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { FieldNames } from '../grammar/resolve-field.ts'
import { maySeeFieldOf, maySeePath, pathsInFilter } from '../grammar/seen-paths.ts'

/**
 * A table as somebody sees it whom field rules limit: without conditions, formulas and filters of rollups that name a field
 * hidden from them, because with what these come to they tell of its values, and without the default of such a field. The
 * same table for everybody else.
 */
export async function tableAsSeen(rights: Rights, table: Table): Promise<Table> {
  if (rights.isAdministrator) return table
  const isLimited = permittedFields(rights, table.name, 'read') !== undefined
  const names = isLimited ? await namesInFormulas(table.table_fields) : new Map<string, ReadonlySet<string>>()
  const seen = table.table_fields.map((field) => {
    const own = isLimited ? withoutHidden(rights, table, field, names.get(field.name)) : field
    return withoutHiddenRollup(rights, own)
  })
  if (seen.every((field, index) => field === table.table_fields[index])) return table
  return { ...table, table_fields: seen, fieldsByName: new Map(seen.map((field) => [field.name, field])) }
}

function withoutHidden(rights: Rights, table: Table, field: Field, used: ReadonlySet<string> = new Set()): Field {
  const maySee = (name: string): boolean => maySeePath(rights, table, name)
  const tells = (condition: unknown): boolean => !pathsInFilter(condition).every(maySee)
  const isHidden = !maySee(field.name)
  const dropped = new Set<string>([
    ...(['required_if', 'readonly_if', 'visible_if'] as const).filter((at) => tells(field[at])),
    ...(isHidden || ![...used].every(maySee) ? ['formula'] : []),
    ...(isHidden ? ['default'] : []),
  ])
  const moves = typeOfField(field).lifecycle?.moves(field)
  const seen = {
    ...Object.fromEntries(Object.entries(field).filter(([setting]) => !dropped.has(setting))),
    ...(moves?.some(({ condition }) => tells(condition)) && {
      transitions: moves.map(({ condition, ...move }) => (tells(condition) ? move : { ...move, condition })),
    }),
  } as Field
  return isDeepStrictEqual(seen, field) ? field : seen
}

/** A rollup without what it says of fields of the other table that are hidden there. */
function withoutHiddenRollup(rights: Rights, field: Field): Field {
  const other = typeOfField(field).rollsUp?.(field)?.table
  if (field.type !== 'rollup' || other === undefined) return field
  const isTold = (path: string): boolean => maySeeFieldOf(rights, other, path.split('.')[0] as string)
  const { filter, of, ...rest } = field
  const hidesFilter = !pathsInFilter(filter).every(isTold)
  const hidesValue = of !== undefined && !isTold(of)
  if (!hidesFilter && !hidesValue) return field
  return { ...rest, ...(!hidesFilter && filter && { filter }), ...(!hidesValue && of !== undefined && { of }) } as Field
}

/** What conditions of a table's fields may name: its own fields, whoever writes the record. */
export const ownFields = (table: Table): FieldNames => ({
  table,
  targets: new Map(),
  mayRead: () => true,
  onlyOwn: true,
})
