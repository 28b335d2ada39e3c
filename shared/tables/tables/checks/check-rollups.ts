import { didYouMean } from '../../../kernel/text/did-you-mean.ts'
import { referencedTable, typeOfField } from '../../field-types/read-field.ts'
import { namesInFormulas } from '../../formulas/service.ts'
import { ErrorList } from '../error-list.ts'
import type { Field } from '../schema.ts'
import { readTable, type Table } from '../table.ts'

export type RollupField = Field & { readonly type: 'rollup' }

/** A table as far as its rollups, and those over it, depend on it. */
export interface RolledTable {
  readonly id?: number
  readonly name: string
  readonly table_fields: readonly Field[]
}

/** Adds the errors of a stored filter of a table's records to a list, below a path. Injected: the grammar is above tables. */
export type CheckFilter = (table: Table, filter: object, list: ErrorList, path: string) => Promise<void>

export const rollupsOf = ({ table_fields }: Pick<RolledTable, 'table_fields'>): readonly RollupField[] =>
  table_fields.filter((field): field is RollupField => field.type === 'rollup')

/**
 * Refuses rollups of a table that do not fit the tables they roll up, and a change of the table that rollups of others do
 * not survive. `tables`: all others; one that is not among them may come later.
 */
export async function checkRollups(
  next: RolledTable,
  tables: readonly RolledTable[],
  checkFilter: CheckFilter,
  list: ErrorList,
): Promise<void> {
  const byName = new Map([...tables.map((table) => [table.name, table] as const), [next.name, next] as const])
  for (const [index, field] of next.table_fields.entries()) {
    const over = field.type === 'rollup' ? byName.get(field.table ?? '') : undefined
    if (field.type !== 'rollup' || !over) continue
    await checkRollup(next.name, field, over, checkFilter, (setting, message) =>
      list.add(`table_fields.${index}.${setting}`, message),
    )
  }
  for (const other of tables) {
    if (other.name === next.name) continue
    for (const field of rollupsOf(other))
      if (field.table === next.name)
        await checkRollup(other.name, field, next, checkFilter, (_, message) =>
          list.add('table_fields', `The rollup ${other.name}.${field.name} would not work any more. ${message}`),
        )
  }
}

async function checkRollup(
  owner: string,
  { field: by, of, aggregate, filter, result }: RollupField,
  over: RolledTable,
  checkFilter: CheckFilter,
  add: (setting: string, message: string) => void,
): Promise<void> {
  const fields = new Map(over.table_fields.map((one) => [one.name, one]))
  const reference = by === undefined ? undefined : fields.get(by)
  if (by !== undefined && !reference)
    add('field', `There is no field ${by} in ${over.name}.${didYouMean(by, fields.keys())}`)
  else if (reference && referencedTable(reference) !== owner)
    add('field', `The field ${by} of ${over.name} does not refer to ${owner}.`)
  const rolled = await rolledUpFields(over)
  const measured = of === undefined ? undefined : fields.get(of)
  if (of !== undefined && !measured)
    add('of', `There is no field ${of} in ${over.name}.${didYouMean(of, fields.keys())}`)
  else if (measured) {
    const type = resultOf(aggregate, measured)
    if (rolled.has(measured.name)) add('of', `The field ${of} of ${over.name} is made of a rollup itself.`)
    else if (type === undefined) add('of', `There is no ${aggregate} of ${of}, which is of type ${measured.type}.`)
    else if (result !== undefined && result !== type) add('result', `The result of this rollup is of type ${type}.`)
  }
  if (filter === undefined) return
  const found = new ErrorList()
  await checkFilter(asTable(over), filter, found, 'filter')
  for (const [path, messages] of Object.entries(found.errors)) for (const message of messages) add(path, message)
  const text = JSON.stringify(filter)
  if (/"\$[A-Z]/.test(text))
    add('filter', 'The filter of a rollup names no $CURRENT_USER, $NOW and the like: its value is kept, for everybody.')
  for (const name of namesIn(filter)) {
    if (name.includes('.') || (fields.get(name) && isObjectOfFields(filter, name)))
      add(
        'filter',
        `The filter of a rollup looks at the records of ${over.name} only, not at those that ${name} names.`,
      )
    if (name === 'version' || rolled.has(name))
      add('filter', `The filter of a rollup may not name ${name}: it changes without a change of the record.`)
  }
}

/** The fields whose value is made of a rollup: rollups, and computed fields that use one. */
async function rolledUpFields({ table_fields }: RolledTable): Promise<ReadonlySet<string>> {
  const made = new Set(rollupsOf({ table_fields }).map(({ name }) => name))
  if (made.size === 0) return made
  const uses = await namesInFormulas(table_fields)
  for (let before = -1; before !== made.size;) {
    before = made.size
    for (const [name, names] of uses) if ([...names].some((used) => made.has(used))) made.add(name)
  }
  return made
}

/** The type of an aggregate's value; undefined when there is none of such a field. */
export function resultOf(aggregate: RollupField['aggregate'], of: Field | undefined): RollupField['result'] {
  if (aggregate === 'count' || !of) return 'integer'
  const { kind, refersToPeople, refersToTable, choices } = typeOfField(of)
  if (refersToPeople || refersToTable) return undefined
  const isInteger = of.type === 'integer' || of.type === 'duration' || ('result' in of && of.result === 'integer')
  if (kind === 'decimal') return 'decimal'
  if (aggregate === 'sum' || aggregate === 'avg')
    return kind === 'number' ? (aggregate === 'sum' && isInteger ? 'integer' : 'float') : undefined
  if (kind === 'number') return isInteger ? 'integer' : 'float'
  if (kind === 'date' || kind === 'datetime') return kind
  return kind === 'text' && !choices && !typeOfField(of).files ? 'text' : undefined
}

/** The fields with what follows from the tables that their rollups are over: the type of their value. */
export const withResults = (next: RolledTable, tables: readonly RolledTable[]): Field[] =>
  next.table_fields.map((field) => {
    if (field.type !== 'rollup' || field.result !== undefined) return field
    const over = field.table === next.name ? next : tables.find(({ name }) => name === field.table)
    if (!over) return field
    const result = resultOf(
      field.aggregate,
      over.table_fields.find(({ name }) => name === field.of),
    )
    return result === undefined ? field : { ...field, result }
  })

const asTable = ({ name, table_fields }: RolledTable): Table =>
  readTable({
    name,
    version: 0,
    doc: { id: 0, label: name, title_field: null, table_fields, automations: [], retired: [] },
  })

/** Every name of a field in a filter. */
function namesIn(filter: unknown): string[] {
  if (Array.isArray(filter)) return filter.flatMap(namesIn)
  if (typeof filter !== 'object' || filter === null) return []
  return Object.entries(filter).flatMap(([key, value]) => (key.startsWith('_') ? namesIn(value) : [key]))
}

/** Whether a name stands for tests of a referenced record's fields: `{ client_id: { name: ... } }`. */
function isObjectOfFields(filter: unknown, name: string): boolean {
  if (Array.isArray(filter)) return filter.some((one) => isObjectOfFields(one, name))
  if (typeof filter !== 'object' || filter === null) return false
  return Object.entries(filter).some(([key, value]) =>
    key === name
      ? typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).some((one) => !one.startsWith('_'))
      : key.startsWith('_') && isObjectOfFields(value, name),
  )
}

export const namesOf = (tables: readonly RolledTable[]): ReadonlySet<string> => new Set(tables.map(({ name }) => name))
