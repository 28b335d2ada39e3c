import { byName } from '../../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import { say } from '../../../kernel/failures/sentence.ts'
import { maxDecimalScale } from '../../../kernel/limits/tables.ts'
import { checkValue, typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Field } from '../../../tables/field-types/schema.ts'
import type { FormField } from '../../bpmn/shapes/compiled-process.ts'

/** The values sent with a task, checked against its form. Paths of errors begin with `data.`. */
export interface FilledForm {
  /** Values for fields of the record, by field. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Values that are bound to no field, by their name in the form. */
  readonly variables: Readonly<Record<string, unknown>>
  readonly errors: FieldErrors
}

/**
 * Checks values against the form of a task: required, type, not read-only, known to the form. A field that is left out
 * changes nothing. Does not check whether users exist.
 */
export function checkForm(form: readonly FormField[], data: Readonly<Record<string, unknown>>): FilledForm {
  const fields: Record<string, unknown> = byName()
  const variables: Record<string, unknown> = byName()
  const errors: FieldErrors = byName()
  const known = new Set(form.map(({ name }) => name))
  for (const name of Object.keys(data))
    if (!known.has(name)) errors[`data.${name}`] = [say('unknown_field', { field: name })]
  for (const field of form) {
    const { name, bind } = field
    const isGiven = Object.hasOwn(data, name)
    const value = isGiven ? data[name] : undefined
    if (field.isReadonly) {
      if (isGiven) errors[`data.${name}`] = [say('read_only', { field: name })]
      continue
    }
    const isEmpty = value === undefined || value === null || value === ''
    if (isEmpty && field.isRequired) errors[`data.${name}`] = [say('required', { field: name })]
    if (!isGiven || errors[`data.${name}`]) continue
    const checked = value === null ? { value } : checkValue(asField(field), value)
    if ('error' in checked) errors[`data.${name}`] = [checked.error]
    else if (bind === undefined) variables[name] = checked.value
    else fields[bind] = checked.value
  }
  return { fields, variables, errors }
}

/** A value that goes into a field of the record has the digits of that field, which is checked when it is written. */
const asField = ({
  name,
  type,
  bind,
  scale = bind === undefined ? undefined : maxDecimalScale,
  options = [],
}: FormField): Field =>
  ({
    name,
    type,
    ...(type === 'decimal' && scale !== undefined && { scale }),
    ...(typeOfField({ type }).inForms === 'with options' && { options: options.map((slug) => ({ slug })) }),
  }) as Field
