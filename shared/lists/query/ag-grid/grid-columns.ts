import type { ValueKind } from '../../../tables/field-types/declaration.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { QueryField } from '../grammar/expression.ts'
import { conversationFields, idField, peopleTarget, personName } from '../grammar/field.ts'
import { ownField } from '../grammar/resolve-field.ts'
import type { QueryBody } from '../schema.ts'

/** A column of the grid as a field of our queries. */
export interface GridColumn {
  /** `status`, `client_id.name`. */
  readonly name: string
  /** Undefined when there is no such field. */
  readonly kind: ValueKind | undefined
  /** Where a row has its value: `data.status`, `created_by`, `expanded.client_id.data.name`. */
  readonly place: readonly string[]
}

export type GridColumns = (column: string) => GridColumn

/**
 * Reads names of columns, which the grid takes from the path of their value in a row, or from an id that `rowGroupCols`
 * or `valueCols` name beside the field. `targets`: the tables that fields refer to.
 */
export function gridColumns(body: QueryBody, table: Table, targets: ReadonlyMap<string, Table>): GridColumns {
  const named = [...(body.rowGroupCols ?? []), ...(body.valueCols ?? [])]
  const fieldOf = new Map(named.flatMap(({ id, field }) => (id && field ? [[id, field] as const] : [])))
  return (column) => {
    const name = nameOf(fieldOf.get(column) ?? column)
    const [own = '', step] = name.split('.')
    const field = ownField(table, own)
    const conversation = field ? undefined : conversationFields.get(name)
    if (conversation) return { name, kind: conversation.kind, place: name.split('.') }
    if (step === undefined) return { name, kind: field?.kind, place: placeOf(field, own) }
    const target = field?.refersTo === undefined ? undefined : targetField(field.refersTo, step, targets)
    return { name, kind: target?.kind, place: ['expanded', own, ...placeOf(target, step)] }
  }
}

const nameOf = (column: string): string => column.replace(/^data\./, '').replace(/^expanded\.([^.]+)\.(data\.)?/, '$1.')

const placeOf = (field: QueryField | undefined, name: string): string[] =>
  field?.isStandard === false ? ['data', name] : [name]

function targetField(refersTo: string, name: string, targets: ReadonlyMap<string, Table>): QueryField | undefined {
  if (refersTo === peopleTarget) return name === 'name' ? personName : name === 'id' ? idField : undefined
  const target = targets.get(refersTo)
  return target && ownField(target, name)
}
