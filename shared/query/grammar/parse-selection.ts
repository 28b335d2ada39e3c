import type { ErrorList } from '../../tables/service.ts'
import type { QueryField } from './expression-types.ts'
import { limitToVisible, ownField, resolveField, stepInto, type FieldNames } from './resolve-field.ts'

/** The members of a record in the answer, and the referenced records to expand. */
export interface Selection {
  /** undefined: the whole record. */
  readonly fields?: ReadonlySet<string>
  /** The references to expand by name; `fields` of the target, undefined for all. */
  readonly expand: ReadonlyMap<string, { readonly reference: QueryField; readonly fields?: ReadonlySet<string> }>
}

const maxFields = 400

/**
 * Parses `fields` and `expand`. Skips references to tables that the viewer may not read; an unknown name is an error.
 */
export function parseSelection(
  fields: readonly string[] | undefined,
  expand: readonly string[] | undefined,
  fieldNames: FieldNames,
  list: ErrorList,
): Selection {
  const own = new Set<string>()
  const steps = new Map<string, { reference: QueryField; fields?: Set<string> }>()
  let whole = fields === undefined
  if ((fields?.length ?? 0) > maxFields) list.add('fields', `The fields may not have more than ${maxFields} items.`)

  const mayExpand = (reference: QueryField): boolean =>
    reference.refersTo === 'users' || fieldNames.mayRead(reference.refersTo as string)

  for (const [index, text] of (fields ?? []).entries()) {
    const path = text.trim()
    const [name = '', step] = path.split('.')
    if (path === '*') {
      whole = true
      continue
    }
    const reference = step === undefined ? undefined : ownField(fieldNames.table, name)
    if (reference?.refersTo !== undefined && !mayExpand(reference)) continue
    const resolved = reference && step === '*' ? stepInto(fieldNames, reference, 'id') : resolveField(fieldNames, path)
    if ('error' in resolved) list.add(`fields.${index}`, resolved.error)
    else if (!reference) own.add(path)
    else addStep(steps, limitToVisible(fieldNames, reference), step === '*' ? undefined : (step as string))
  }
  for (const [index, text] of (expand ?? []).entries()) {
    const name = text.trim()
    const reference = ownField(fieldNames.table, name)
    if (reference?.refersTo === undefined) list.add(`expand.${index}`, `${name} is no field that refers to a record.`)
    else if (mayExpand(reference) && !steps.has(name)) addStep(steps, limitToVisible(fieldNames, reference), undefined)
  }
  return { ...(!whole && { fields: own }), expand: steps }
}

function addStep(
  steps: Map<string, { reference: QueryField; fields?: Set<string> }>,
  reference: QueryField,
  field: string | undefined,
): void {
  const known = steps.get(reference.name)
  if (field === undefined) steps.set(reference.name, { reference })
  else if (!known) steps.set(reference.name, { reference, fields: new Set([field]) })
  else known.fields?.add(field)
}
