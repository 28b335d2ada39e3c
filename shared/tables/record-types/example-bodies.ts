import { typeOfField } from '../field-types/read-field.ts'
import type { Field } from '../tables/schema.ts'
import { isDemanded } from './field-schema.ts'

/** What an example shows besides what a record must have. */
const maxShownFields = 4

/** A body for a new record of these fields that can be sent as it is, unless a required reference leads nowhere. */
export function exampleInput(fields: readonly Field[]): Readonly<Record<string, unknown>> {
  const demanded = fields.filter(isDemanded)
  const others = fields.filter((field) => !isDemanded(field) && isPlain(field))
  const shown = [...demanded, ...others.slice(0, Math.max(0, maxShownFields - demanded.length))]
  return Object.fromEntries(
    fields.filter((field) => shown.includes(field)).map((field) => [field.name, valueFor(field)]),
  )
}

/** A body that changes one field. */
export function exampleChanges(fields: readonly Field[]): Readonly<Record<string, unknown>> {
  const [field] = fields.filter(isPlain)
  return field ? { [field.name]: valueFor(field) } : {}
}

/** Any record may have such a value, and several may have the same. */
const isPlain = (field: Field): boolean => field.unique !== true && typeOfField(field).isExampleValid?.(field) === true

const valueFor = (field: Field): unknown => typeOfField(field).example(field)
