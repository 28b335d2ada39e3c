import { mayOnTable, permittedFields, type Rights } from '../../kernel/permissions.ts'
import type { JsonSchema } from '../../platform/http/openapi/document-types.ts'
import { referencedTable, typeOfField } from '../field-types/read-field.ts'
import type { Field } from '../tables/schema.ts'
import type { Table } from '../tables/table.ts'
import { slugsOf } from './field-schema.ts'

const actions = ['read', 'create', 'update', 'delete'] as const

/** A table as one caller may use it. */
export interface TypedTable {
  readonly table: Pick<Table, 'name' | 'label' | 'table_fields'>
  /** What its schemas are called. */
  readonly name: string
  readonly allowed: Readonly<Record<(typeof actions)[number], boolean>>
  readonly readable: readonly Field[]
  readonly creatable: readonly Field[]
  readonly updatable: readonly Field[]
  /** All fields of the three. */
  readonly visible: readonly Field[]
  /** The names of the schemas of its choices, by field. */
  readonly choices: ReadonlyMap<string, string>
}

/** What the schemas of a table need of the others. */
export interface TypedTables {
  /** The table that a field refers to, when the caller may read it and the document shows it. */
  targetOf(field: Field): TypedTable | undefined
  /** The generic body of `list-server`. */
  readonly listBody: JsonSchema
}

/** The tables with which the caller may do anything, ordered by name. `taken`: names of other schemas. */
export function typedTables(
  tables: readonly TypedTable['table'][],
  rights: Pick<Rights, 'isAdministrator' | 'permissions' | 'grants'>,
  taken: readonly string[],
): readonly TypedTable[] {
  const permitted = tables.filter(({ name }) => actions.some((action) => mayOnTable(rights, name, action)))
  const names = schemaNamesOf(
    permitted.map(({ name }) => name),
    taken,
  )
  const used = new Set(taken)
  return permitted.map((table) => {
    const fieldsFor = (action: 'read' | 'create' | 'update'): readonly Field[] => {
      const limit = permittedFields(rights, table.name, action)
      return limit ? table.table_fields.filter(({ name }) => limit.has(name)) : table.table_fields
    }
    const writable = (action: 'create' | 'update'): readonly Field[] =>
      fieldsFor(action).filter((field) => !typeOfField(field).isDerived)
    const readable = fieldsFor('read')
    const [creatable, updatable] = [writable('create'), writable('update')]
    const visible = [...new Set([...readable, ...creatable, ...updatable])]
    const name = names.get(table.name) as string
    return {
      table,
      name,
      allowed: Object.fromEntries(
        actions.map((action) => [action, mayOnTable(rights, table.name, action)]),
      ) as TypedTable['allowed'],
      readable,
      creatable,
      updatable,
      visible,
      choices: choiceNames(name, visible, used),
    }
  })
}

/** The tables by name, so that references find theirs among those that the document shows. */
export function targetsAmong(shown: readonly TypedTable[]): TypedTables['targetOf'] {
  const byName = new Map(shown.filter(({ allowed }) => allowed.read).map((typed) => [typed.table.name, typed]))
  return (field) => byName.get(referencedTable(field) ?? '')
}

function choiceNames(table: string, fields: readonly Field[], used: Set<string>): Map<string, string> {
  const names = new Map<string, string>()
  for (const field of fields) {
    if (!slugsOf(field)) continue
    const plain = `${table}${pascal(field.name)}Choice`
    let name = plain
    for (let number = 2; used.has(name); number += 1) name = `${plain}${number}`
    used.add(name)
    names.set(field.name, name)
  }
  return names
}

/** What a table's schemas are called: its name in Pascal case, and these after it. */
const parts = [
  '',
  'Data',
  'Input',
  'Changes',
  'Row',
  'Expanded',
  'Tests',
  'Filter',
  'Name',
  'Sort',
  'Reference',
  'Aggregate',
  'Query',
  'Import',
  'Envelope',
  'Page',
  'Rows',
  'Restored',
] as const

/**
 * The name of each table's schemas, such as `Requests` for `requests`. Where it would meet another schema, `Records` and
 * then a number follow. The same tables give the same names.
 */
function schemaNamesOf(tables: readonly string[], taken: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set(taken)
  const names = new Map<string, string>()
  for (const table of tables.toSorted()) {
    const plain = pascal(table)
    const name = candidates(plain).find((one) => parts.every((part) => !used.has(one + part))) as string
    for (const part of parts) used.add(name + part)
    names.set(table, name)
  }
  return names
}

function candidates(plain: string): string[] {
  return [plain, `${plain}Records`, ...Array.from({ length: 400 }, (_, index) => `${plain}Records${index + 2}`)]
}

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_+)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()).replaceAll('_', '')
