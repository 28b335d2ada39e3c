import { maxSelectedFields } from '../../../kernel/limits/lists.ts'
import { didYouMean, listed } from '../../../kernel/text/did-you-mean.ts'
import type { ErrorList } from '../../../tables/tables/error-list.ts'
import type { QueryField } from './expression.ts'
import { peopleTarget, standardFieldsByName } from './field.ts'
import { type FieldNames, isHidden, limitToVisible, ownField, resolveField, stepInto } from './resolve-field.ts'

/** The members of a record in an answer. */
export interface SelectedMembers {
  /** undefined: the whole record. */
  readonly fields?: ReadonlySet<string>
  /** The fields that the viewer may read; undefined: all. */
  readonly readable?: ReadonlySet<string>
}

/** A reference whose record is put under `expanded`, with the members of that record. */
export interface Expansion extends SelectedMembers {
  readonly reference: QueryField
}

/** The members of a record in the answer, and the referenced records to expand. */
export interface Selection extends SelectedMembers {
  /** By the name of the reference. */
  readonly expand: ReadonlyMap<string, Expansion>
}

/**
 * Parses `fields` and `expand`. Skips fields and references to tables that the viewer may not read: answers leave them
 * out. An unknown name is an error.
 */
export function parseSelection(
  fields: readonly string[] | undefined,
  expand: readonly string[] | undefined,
  fieldNames: FieldNames,
  list: ErrorList,
): Selection {
  // Names of hidden fields are valid here: records are answered without them.
  const { readable, ...names } = fieldNames
  const { table } = names
  const own = new Set<string>()
  const steps = new Map<string, { reference: QueryField; fields?: Set<string>; readable?: ReadonlySet<string> }>()
  let whole = fields === undefined
  if ((fields?.length ?? 0) > maxSelectedFields)
    list.add('fields', `The fields may not have more than ${maxSelectedFields} items.`)

  const mayExpand = (reference: QueryField): boolean =>
    !isHidden(readable, table.name, reference) &&
    (reference.refersTo === peopleTarget || names.mayRead(reference.refersTo as string))

  function readableIn(name: string): Pick<SelectedMembers, 'readable'> {
    const limit = readable?.get(name)
    return limit ? { readable: limit } : {}
  }

  function addStep(given: QueryField, field?: string): void {
    const known = steps.get(given.name)
    if (known && field !== undefined) {
      known.fields?.add(field)
      return
    }
    steps.set(given.name, {
      reference: limitToVisible(names, given),
      ...(field !== undefined && { fields: new Set([field]) }),
      ...readableIn(given.refersTo as string),
    })
  }

  for (const [index, text] of (fields ?? []).entries()) {
    const path = text.trim()
    const [name = '', step] = path.split('.')
    if (path === '*') {
      whole = true
      continue
    }
    const reference = step === undefined ? undefined : ownField(table, name)
    if (reference?.refersTo !== undefined && !mayExpand(reference)) continue
    const resolved = reference && step === '*' ? stepInto(names, reference, 'id') : resolveField(names, path)
    if ('error' in resolved) list.add(`fields.${index}`, resolved.error)
    else if (!reference) own.add(path)
    else addStep(reference, step === '*' ? undefined : step)
  }
  for (const [index, text] of (expand ?? []).entries()) {
    const name = text.trim()
    const reference = ownField(table, name)
    if (reference?.refersTo === undefined)
      list.add(`expand.${index}`, `${name} is no field that refers to a record.${referencesOf(fieldNames, name)}`)
    else if (mayExpand(reference) && !steps.has(name)) addStep(reference)
  }
  return { ...(!whole && { fields: own }), ...readableIn(table.name), expand: steps }
}

/** What may be expanded, for whoever named something else. */
function referencesOf({ table, readable }: FieldNames, name: string): string {
  const known = [...table.fieldsByName.keys(), ...standardFieldsByName.keys()].filter((one) => {
    const field = ownField(table, one)
    return field?.refersTo !== undefined && !isHidden(readable, table.name, field)
  })
  return didYouMean(name, known) || ` Those are: ${listed(known)}.`
}
