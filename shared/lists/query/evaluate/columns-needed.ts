import { maxColumnCharacters } from '../../../kernel/limits/lists.ts'
import type { NamedFields } from '../../../platform/store/rows/stored-names.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import { longColumn } from '../../columns/column-values.ts'
import type { Predicate } from '../../columns/predicate.ts'
import { foldCase } from '../../columns/scalar.ts'
import { type Expression, type QueryField, type Test, testsOf } from '../grammar/expression.ts'
import { peopleTarget } from '../grammar/field.ts'

/** The columns that a query needs, by table. */
export type NeededColumns = Map<string, Set<string>>

/** Fields that no column holds: the chunk, the stamp or the tenant tells them. */
const withoutColumn: ReadonlySet<string> = new Set(['id', 'tenant_id', 'version', '$rank'])

/** The columns of `table`, and of the tables it refers to, that the filter and these fields need. */
export function columnsNeeded(table: string, filter: Expression, fields: readonly QueryField[]): NeededColumns {
  const needed: NeededColumns = new Map([[table, new Set()]])
  addExpression(needed, table, filter)
  for (const field of fields) addField(needed, table, field)
  return needed
}

function addExpression(needed: NeededColumns, table: string, expression: Expression): void {
  for (const { field, predicate } of testsOf(expression)) {
    addField(needed, table, field)
    const { target } = field
    if (target && !isPeople(field)) addLongTexts(needed, field.via?.refersTo as string, target, predicate)
    else addLongTexts(needed, table, field, predicate)
  }
}

function addLongTexts(needed: NeededColumns, table: string, field: QueryField, predicate: Predicate): void {
  const column = longTextsOf({ kind: 'test', field, predicate })
  if (column !== undefined) add(needed, table, column)
}

function addField(needed: NeededColumns, table: string, field: QueryField): void {
  const { via, target } = field
  if (!via || !target) {
    if (!withoutColumn.has(field.name)) add(needed, table, field.name)
    return
  }
  add(needed, table, via.name)
  if (isPeople(field)) return
  const referred = via.refersTo as string
  addField(needed, referred, target)
  if (via.visible) addExpression(needed, referred, via.visible)
}

/** The tables that a query looks into by references, as far as their fields were renamed. */
export function referredTables(filter: Expression, fields: readonly QueryField[]): ReadonlyMap<string, NamedFields> {
  const found = new Map<string, NamedFields>()
  const look = (field: QueryField): void => {
    if (field.via?.referred) found.set(field.via.refersTo as string, field.via.referred)
    for (const test of field.via?.visible ? testsOf(field.via.visible) : []) look(test.field)
  }
  for (const { field } of testsOf(filter)) look(field)
  for (const field of fields) look(field)
  return found
}

const isPeople = ({ via }: QueryField): boolean => via?.refersTo === peopleTarget

function add(needed: NeededColumns, table: string, column: string): void {
  const columns = needed.get(table)
  if (columns) columns.add(column)
  else needed.set(table, new Set([column]))
}

/** The column of whole texts that a test needs besides the field's own; undefined when that one suffices. */
export function longTextsOf({ field, predicate }: Test): string | undefined {
  const { definition } = field
  if (!definition || !typeOfField(definition).mayBeLong || !seesWholeText(predicate)) return undefined
  return longColumn(field.name)
}

/** The first units of a text decide most tests: the others need all of it. */
function seesWholeText(predicate: Predicate): boolean {
  const isLong = (operand: unknown): boolean => typeof operand === 'string' && operand.length >= maxColumnCharacters - 1
  switch (predicate.op) {
    case 'contains':
    case 'ends':
      return true
    case 'starts':
      return isLong(predicate.text)
    case 'same':
      return isLong(foldCase(predicate.text))
    case 'among':
    case 'exactly':
    case 'including':
      return predicate.values.some(isLong)
    case 'between':
      return isLong(predicate.from) || isLong(predicate.to)
    case 'present':
    case 'filled':
      return false
    default:
      return isLong(predicate.value)
  }
}
