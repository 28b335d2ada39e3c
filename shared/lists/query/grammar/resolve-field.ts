import { didYouMean } from '../../../kernel/text/did-you-mean.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Hearing } from '../../search/said.ts'
import { kinds } from '../kinds/kinds.ts'
import type { Expression, QueryField } from './expression.ts'
import {
  conversationFields,
  customField,
  idField,
  peopleTarget,
  personName,
  standardFieldsByName,
  throughReference,
} from './field.ts'

/** The fields that a query may name: those of its table and of the tables that it refers to. */
export interface FieldNames {
  readonly table: Table
  /** The tables that fields of this one refer to, by name. */
  readonly targets: ReadonlyMap<string, Table>
  /** Whether the viewer may read a table. */
  mayRead(table: string): boolean
  /** For tables with row rules: the records that the viewer may see. */
  readonly visible?: ReadonlyMap<string, Expression>
  /** For tables with field rules: the fields that the viewer may read, besides the standard ones. */
  readonly readable?: ReadonlyMap<string, ReadonlySet<string>>
  /** Of what was said about the records: what the viewer may search. */
  readonly hears?: Hearing
  /** For conditions of fields, which are tested on one record before it is stored: no references, no id. */
  readonly onlyOwn?: true
}

export type Resolved = { readonly field: QueryField } | { readonly error: string }

/** Why nothing can be asked of a field; undefined when it can. */
export const opaqueProblem = ({ path, kind, definition }: QueryField): string | undefined =>
  kinds[kind].isOpaque
    ? `The field ${path} is of type ${definition?.type}, which cannot be filtered, sorted, grouped or aggregated.`
    : undefined

/** The same for a field that is filtered, sorted, grouped or aggregated by. */
export function resolveAsked(fieldNames: FieldNames, path: string): Resolved {
  const resolved = resolveField(fieldNames, path)
  if ('error' in resolved) return resolved
  const error = opaqueProblem(resolved.field)
  return error === undefined ? resolved : { error }
}

/** The field of a path: `priority`, `created_at`, or `client_id.name` for a field of a referenced record. */
export function resolveField(fieldNames: FieldNames, path: string): Resolved {
  const [name = '', step, ...more] = path.split('.')
  if (name === conversationName && !fieldNames.table.fieldsByName.has(name))
    return resolveConversation(fieldNames, path)
  const found = readableField(fieldNames, fieldNames.table, name)
  if ('error' in found || step === undefined) return found
  if (more.length > 0) return { error: `${path} takes more than one step. One is possible, such as ${name}.${step}.` }
  return stepInto(fieldNames, found.field, step)
}

/** The member of a record that holds its conversation, unless its table has a field of this name. */
export const conversationName = 'conversation'

function resolveConversation({ onlyOwn }: FieldNames, path: string): Resolved {
  if (onlyOwn) return { error: 'A condition looks at the fields of the record, not at its conversation.' }
  const field = conversationFields.get(path)
  return field
    ? { field }
    : { error: `Of a conversation ${[...conversationFields.keys()].join(' and ')} can be asked for.` }
}

/** The field of a table by name, unless there is none or the viewer may not read it. */
function readableField({ readable, onlyOwn }: FieldNames, table: Table, name: string): Resolved {
  if (onlyOwn && name === idField.name)
    return { error: 'A condition may not look at id, which a new record does not have yet. Its version is 1.' }
  const field = ownField(table, name)
  if (!field) {
    // A name that the viewer may not read is no advice.
    const known = [...table.fieldsByName.keys(), ...standardFieldsByName.keys()].filter(
      (one) => readable?.get(table.name)?.has(one) !== false || standardFieldsByName.has(one),
    )
    return { error: `There is no field ${name} in ${table.name}.${didYouMean(name, known)}` }
  }
  return isHidden(readable, table.name, field)
    ? { error: `You may not read the field ${name} of ${table.name}.` }
    : { field }
}

/** Whether field rules hide a field of a table. */
export const isHidden = (
  readable: FieldNames['readable'],
  table: string,
  { name, isStandard }: Pick<QueryField, 'name' | 'isStandard'>,
): boolean => !isStandard && readable?.get(table)?.has(name) === false

/** The field `name` of the records that `reference` refers to. */
export function stepInto(fieldNames: FieldNames, reference: QueryField, name: string): Resolved {
  const { refersTo } = reference
  if (fieldNames.onlyOwn)
    return {
      error: `A condition looks at the record alone, and ${reference.path}.${name} is a field of another one. Use ${reference.path}, which holds an id.`,
    }
  if (refersTo === undefined) return { error: `${reference.path} refers to no record.` }
  if (refersTo === peopleTarget) {
    const field = name === 'name' ? personName : name === 'id' ? idField : undefined
    return field
      ? { field: throughReference(reference, field) }
      : { error: 'Of people only id and name can be asked for.' }
  }
  const target = fieldNames.targets.get(refersTo)
  if (!target || !fieldNames.mayRead(refersTo))
    return { error: `You may not read ${refersTo}, which ${reference.path} refers to.` }
  const found = readableField(fieldNames, target, name)
  return 'error' in found ? found : { field: throughReference(limitToVisible(fieldNames, reference), found.field) }
}

/** The reference, limited to the records that the viewer may see, and knowing how they are stored. */
export function limitToVisible({ visible, targets }: FieldNames, reference: QueryField): QueryField {
  const limit = visible?.get(reference.refersTo as string)
  const referred = targets.get(reference.refersTo as string)
  return limit || referred?.storedNames
    ? { ...reference, ...(limit && { visible: limit }), ...(referred?.storedNames && { referred }) }
    : reference
}

/**
 * The field of a path, without regard to what a viewer may read; undefined when there is none. `targets`: the tables
 * that fields of this one refer to, by name.
 */
export function fieldAt(table: Table, targets: ReadonlyMap<string, Table>, path: string): QueryField | undefined {
  const resolved = resolveField({ table, targets, mayRead: () => true }, path)
  return 'error' in resolved ? undefined : resolved.field
}

/** A field of the table itself by name, custom or standard. */
export function ownField(table: Table, name: string): QueryField | undefined {
  const custom = table.fieldsByName.get(name)
  return custom ? customField(custom) : standardFieldsByName.get(name)
}
