import * as z from 'zod'
import { own } from '../../../kernel/collections/own-members.ts'
import type { Warning } from '../../../kernel/failures/warning.ts'
import { maxHookScriptBytes, maxTableBytes, maxUniqueFields } from '../../../kernel/limits/tables.ts'
import { didYouMean, nearestWord, shown, thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import { foreignSetting, mayBeVariable, rolesIn, typeOfField } from '../../field-types/read-field.ts'
import { ErrorList } from '../error-list.ts'
import type { Field, TableInput } from '../schema.ts'
import { unusableNames } from '../table.ts'

/** Names of standard fields, and names that no body may have as a key. */
const reservedNames = new Set([
  'id',
  'tenant_id',
  'created_by',
  'updated_by',
  'created_at',
  'updated_at',
  'version',
  'data',
  'expanded',
  ...unusableNames,
])

/** The errors of a table's document by path. `tables`: the names that `target_table` may refer to. */
export function checkTable(input: TableInput, tables: ReadonlySet<string>): ErrorList {
  const list = new ErrorList()
  if (Buffer.byteLength(JSON.stringify(input)) > maxTableBytes)
    list.add('table_fields', 'The document may not be larger than 300 KB.')
  const seen = new Map<string, number>()
  input.table_fields.forEach((field, index) => {
    const at = `table_fields.${index}`
    const earlier = seen.get(field.name)
    if (earlier !== undefined) list.add(`${at}.name`, `The name ${field.name} is taken by table_fields.${earlier}.`)
    seen.set(field.name, earlier ?? index)
    if (reservedNames.has(field.name)) list.add(`${at}.name`, `The name ${field.name} is reserved.`)
    checkField(field, at, list, tables)
  })
  checkRequiredFields(input.table_fields, list)
  checkLimits(input, list)
  if (input.title_field && !seen.has(input.title_field))
    list.add('title_field', `There is no field ${input.title_field}.${didYouMean(input.title_field, seen.keys())}`)
  input.automations.forEach(({ script }, index) => {
    if (Buffer.byteLength(script) > maxHookScriptBytes)
      list.add(`automations.${index}.script`, 'The script may not be larger than 64 KB.')
  })
  return list
}

function checkField(field: Field, at: string, list: ErrorList, tables: ReadonlySet<string>): void {
  const type = typeOfField(field)
  for (const [setting, value] of Object.entries(field)) {
    if (value === undefined || value === false) continue
    const problem =
      setting === 'unique' && !type.mayBeUnique
        ? 'The unique setting belongs to fields whose value is one plain value.'
        : foreignSetting(field, setting)
    if (problem !== undefined) list.add(`${at}.${setting}`, problem)
  }
  for (const [setting, schema] of Object.entries(type.properties)) {
    const value = own(field, setting)
    // Types may declare a property differently: the document was read by what any of them takes.
    if (!z.safeParse(schema, value).success)
      return list.add(
        `${at}.${setting}`,
        `The ${setting} of a field of type ${field.type} may not be ${shown(JSON.stringify(value))}.`,
      )
  }
  type.checkField?.(field, at, list, tables)
  if (field.default === undefined || field.default === null) return
  if (type.lifecycle) return list.add(`${at}.default`, `A ${field.type} begins in the state with is_initial: true.`)
  // Variables are checked with the conditions, in the grammar of lists.
  if (mayBeVariable(field)) return
  // Whether a referenced record exists is checked when a record is created with this default.
  const checked = type.check(field, field.default)
  if ('error' in checked) list.add(`${at}.default`, checked.error)
}

/** The fields that transitions require have to exist. */
function checkRequiredFields(fields: readonly Field[], list: ErrorList): void {
  const names = new Set(fields.map(({ name }) => name))
  for (const [index, field] of fields.entries())
    for (const [move, { required_fields = [] }] of (typeOfField(field).lifecycle?.moves(field) ?? []).entries())
      for (const [position, name] of required_fields.entries())
        if (!names.has(name))
          list.add(
            `table_fields.${index}.transitions.${move}.required_fields.${position}`,
            `There is no field ${name}.${didYouMean(name, names)}`,
          )
}

function checkLimits(input: TableInput, list: ErrorList): void {
  const uniques = input.table_fields.flatMap((field, index) => (field.unique ? [index] : []))
  uniques
    .slice(maxUniqueFields)
    .forEach((index) =>
      list.add(`table_fields.${index}.unique`, `A table may have at most ${maxUniqueFields} unique fields.`),
    )
}

/**
 * Refuses roles of transitions that do not exist and are like one that does, as a typo is, unless the transitions of the
 * same field named them before. Any other may be created later. `rolesOf` is called only when a role is new.
 */
export async function checkTransitionRoles(
  fields: readonly Field[],
  before: readonly Field[],
  rolesOf: () => Promise<readonly string[]>,
  list: ErrorList,
): Promise<void> {
  const added = fields.flatMap((field, index) => {
    const earlier = before.find(({ name }) => name === field.name)
    const named = new Set(earlier && rolesIn(earlier).map(({ role }) => role))
    return rolesIn(field).flatMap(({ role, at }) =>
      named.has(role) ? [] : [{ role, at: `table_fields.${index}.${at}` }],
    )
  })
  if (added.length === 0) return
  const known = await rolesOf()
  for (const { role, at } of added)
    if (!known.includes(role) && nearestWord(role, known) !== undefined)
      list.add(at, `The selected ${at} is invalid: ${thereIsNo('role', role, known)}`)
}

/** Warnings for roles of transitions that do not exist yet. */
export const transitionRoleWarnings = (fields: readonly Field[], roles: readonly string[]): Warning[] =>
  fields.flatMap((field, index) =>
    rolesIn(field).flatMap(({ role, at }): Warning[] =>
      roles.includes(role)
        ? []
        : [
            {
              path: `table_fields.${index}.${at}`,
              code: 'unknown_role',
              message: `The role ${role}: ${thereIsNo('role', role, roles)}`,
            },
          ],
    ),
  )
