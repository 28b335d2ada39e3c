import type { ErrorList } from '../../tables/service.ts'
import type { QueryField } from './expression-types.ts'
import { asSeen, ownField, resolveField, stepInto, type FieldNames } from './resolve-field.ts'

/** Which members of a record are answered, and which of the records it refers to stand beside it. */
export interface Selection {
  /** undefined: the whole record. */
  readonly fields?: ReadonlySet<string>
  /** References to expand: `fields` of the target, undefined for all of it. */
  readonly expand: ReadonlyMap<string, { readonly reference: QueryField; readonly fields?: ReadonlySet<string> }>
}

const maxFields = 400

/** Reads `fields` and `expand`. What the caller may not read in the target stays unexpanded; a name that does not exist is wrong. */
export function parseSelection(
  fields: readonly string[] | undefined,
  expand: readonly string[] | undefined,
  vocabulary: FieldNames,
  list: ErrorList,
): Selection {
  const own = new Set<string>()
  const steps = new Map<string, { reference: QueryField; fields?: Set<string> }>()
  let whole = fields === undefined
  if ((fields?.length ?? 0) > maxFields) list.add('fields', `The fields may not have more than ${maxFields} items.`)

  const mayExpand = (reference: QueryField): boolean =>
    reference.refersTo === 'users' || vocabulary.mayRead(reference.refersTo as string)

  for (const [index, text] of (fields ?? []).entries()) {
    const path = text.trim()
    const [name = '', step] = path.split('.')
    if (path === '*') {
      whole = true
      continue
    }
    const reference = step === undefined ? undefined : ownField(vocabulary.table, name)
    if (reference?.refersTo !== undefined && !mayExpand(reference)) continue
    const resolved = reference && step === '*' ? stepInto(vocabulary, reference, 'id') : resolveField(vocabulary, path)
    if ('error' in resolved) list.add(`fields.${index}`, resolved.error)
    else if (!reference) own.add(path)
    else addStep(steps, asSeen(vocabulary, reference), step === '*' ? undefined : (step as string))
  }
  for (const [index, text] of (expand ?? []).entries()) {
    const name = text.trim()
    const reference = ownField(vocabulary.table, name)
    if (reference?.refersTo === undefined) list.add(`expand.${index}`, `${name} is no field that refers to a record.`)
    else if (mayExpand(reference) && !steps.has(name)) addStep(steps, asSeen(vocabulary, reference), undefined)
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
