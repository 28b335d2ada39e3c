import { maxHookScriptBytes, maxTableBytes, maxUniqueFields } from '../../../kernel/limits/tables.ts'
import { didYouMean } from '../../../kernel/text/did-you-mean.ts'
import { ErrorList } from '../error-list.ts'
import type { Field, FieldType, TableInput } from '../schema.ts'
import { unusableNames } from '../table.ts'
import { checkValue } from './check-value.ts'

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
const textTypes: ReadonlySet<FieldType> = new Set(['text', 'textarea'])
const numberTypes: ReadonlySet<FieldType> = new Set(['integer', 'float'])
const notUnique: ReadonlySet<FieldType> = new Set(['boolean', 'point', 'file', 'image', 'state_model'])

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
  const only = (member: keyof Field, allowed: boolean, belongsTo: string): void => {
    if (field[member] !== undefined && field[member] !== false && !allowed)
      list.add(`${at}.${member}`, `The ${member} setting belongs to ${belongsTo}.`)
  }
  only('options', field.type === 'value_list', 'fields of type value_list')
  only('states', field.type === 'state_model', 'fields of type state_model')
  only('transitions', field.type === 'state_model', 'fields of type state_model')
  only('target_table', field.type === 'model_list', 'fields of type model_list')
  only('on_delete', field.type === 'model_list', 'fields of type model_list')
  only('multiple', field.type === 'file', 'fields of type file')
  only('min', numberTypes.has(field.type), 'fields of type integer and float')
  only('max', numberTypes.has(field.type), 'fields of type integer and float')
  only('max_length', textTypes.has(field.type), 'fields of type text and textarea')
  only('searchable', textTypes.has(field.type), 'fields of type text and textarea')
  only('unique', !notUnique.has(field.type), 'fields whose value is one plain value')

  if (field.min !== undefined && field.max !== undefined && field.min > field.max)
    list.add(`${at}.min`, 'The min may not be greater than the max.')
  if (field.type === 'value_list') checkOptions(field, at, list)
  if (field.type === 'state_model') checkStates(field, at, list)
  if (field.type === 'model_list') {
    if (!field.target_table) list.add(`${at}.target_table`, `The ${at}.target_table field is required.`)
    else if (!tables.has(field.target_table))
      list.add(
        `${at}.target_table`,
        `There is no table ${field.target_table}.${didYouMean(field.target_table, tables)}`,
      )
  }
  if (field.default !== undefined && field.default !== null) checkDefault(field, at, list)
}

function checkOptions(field: Field, at: string, list: ErrorList): void {
  if (!field.options?.length) list.add(`${at}.options`, 'A value_list needs at least one option.')
  repeated(field.options ?? []).forEach((index) =>
    list.add(`${at}.options.${index}.slug`, `The slug ${field.options?.[index]?.slug} is used twice.`),
  )
}

function checkStates(field: Field, at: string, list: ErrorList): void {
  const states = field.states ?? []
  if (states.length === 0) list.add(`${at}.states`, 'A state_model needs at least one state.')
  else if (!states.some(({ is_initial }) => is_initial))
    list.add(`${at}.states`, 'One state must have is_initial: true.')
  repeated(states).forEach((index) =>
    list.add(`${at}.states.${index}.slug`, `The slug ${states[index]?.slug} is used twice.`),
  )
  const known = new Set(states.map(({ slug }) => slug))
  field.transitions?.forEach(({ from, to }, index) => {
    if (!known.has(from))
      list.add(`${at}.transitions.${index}.from`, `There is no state ${from}.${didYouMean(from, known)}`)
    if (!known.has(to)) list.add(`${at}.transitions.${index}.to`, `There is no state ${to}.${didYouMean(to, known)}`)
  })
}

/** The indexes of items whose slug an earlier item has. */
const repeated = (items: readonly { slug: string }[]): number[] =>
  items.flatMap(({ slug }, index) => (items.findIndex((other) => other.slug === slug) < index ? [index] : []))

function checkDefault(field: Field, at: string, list: ErrorList): void {
  if (field.type === 'state_model')
    return list.add(`${at}.default`, 'A state_model begins in the state with is_initial: true.')
  // Whether a referenced record exists is checked when a record is created with this default.
  const checked = checkValue(field, field.default)
  if ('error' in checked) list.add(`${at}.default`, checked.error)
}

function checkLimits(input: TableInput, list: ErrorList): void {
  const uniques = input.table_fields.flatMap((field, index) => (field.unique ? [index] : []))
  uniques
    .slice(maxUniqueFields)
    .forEach((index) =>
      list.add(`table_fields.${index}.unique`, `A table may have at most ${maxUniqueFields} unique fields.`),
    )
}
