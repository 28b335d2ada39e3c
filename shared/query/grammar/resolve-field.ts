import type { Table } from '../../tables/service.ts'
import type { Expression } from './expression-types.ts'
import type { QueryField } from './expression-types.ts'
import { customField, idField, peopleTarget, personName, standardFieldsByName, throughReference } from './field.ts'

/** What the words of a query may mean: the fields of its table and of the tables one step away. */
export interface FieldNames {
  readonly table: Table
  /** The tables that fields of this one refer to, by name. */
  readonly targets: ReadonlyMap<string, Table>
  /** Whether the caller may see records of a table. */
  mayRead(table: string): boolean
  /** Which records of those tables the caller may see, where rules limit that. */
  readonly seen?: ReadonlyMap<string, Expression>
}

export type Resolved = { readonly field: QueryField } | { readonly error: string }

/** The field of a path: `priority`, `created_at`, or one step into a reference, `client_id.name`. */
export function resolveField(vocabulary: FieldNames, path: string): Resolved {
  const [name = '', step, ...more] = path.split('.')
  const field = ownField(vocabulary.table, name)
  if (!field) return { error: `There is no field ${name} in ${vocabulary.table.name}.` }
  if (step === undefined) return { field }
  if (more.length > 0) return { error: `${path} takes more than one step.` }
  return stepInto(vocabulary, field, step)
}

/** The field `name` of what `reference` points at. */
export function stepInto(vocabulary: FieldNames, reference: QueryField, name: string): Resolved {
  const { refersTo } = reference
  if (refersTo === undefined) return { error: `${reference.path} refers to no record.` }
  if (refersTo === peopleTarget) {
    const field = name === 'name' ? personName : name === 'id' ? idField : undefined
    return field
      ? { field: throughReference(reference, field) }
      : { error: 'Of people only id and name can be asked for.' }
  }
  const target = vocabulary.targets.get(refersTo)
  if (!target || !vocabulary.mayRead(refersTo))
    return { error: `You may not read ${refersTo}, which ${reference.path} refers to.` }
  const field = ownField(target, name)
  return field
    ? { field: throughReference(asSeen(vocabulary, reference), field) }
    : { error: `There is no field ${name} in ${target.name}.` }
}

/** A reference whose targets are there only as far as the caller may see them. */
export function asSeen({ seen }: FieldNames, reference: QueryField): QueryField {
  const limit = seen?.get(reference.refersTo as string)
  return limit ? { ...reference, seen: limit } : reference
}

/** The field of a table by name, custom or standard. */
export function ownField(table: Table, name: string): QueryField | undefined {
  const custom = table.fieldsByName.get(name)
  return custom ? customField(table, custom) : standardFieldsByName.get(name)
}
