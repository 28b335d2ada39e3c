import type { JsonSchema } from '../../platform/http/openapi/document-types.ts'
import { choicesOf, typeOfField } from '../field-types/read-field.ts'
import type { Field } from '../tables/schema.ts'

/** The slugs that a field may hold; undefined for fields that are no choice. */
export function slugsOf(field: Field): readonly string[] | undefined {
  const choices = choicesOf(field)
  return choices?.length ? choices.map(({ slug }) => slug) : undefined
}

/** A value of the field, as answers show it. `choice` is the schema of its slugs, when it is a choice. */
export const shownValue = (field: Field, choice: JsonSchema | undefined): JsonSchema =>
  orNull({ ...(choice ?? typeOfField(field).reference.value), ...noteOf(field) })

/** A value that a new record may have. */
export function newValue(field: Field, choice: JsonSchema | undefined): JsonSchema {
  const value = { ...(choice ?? limited(field)), ...noteOf(field), ...standIn(field) }
  return isDemanded(field) ? { ...value, ...typeOfField(field).reference.demanded } : orNull(value)
}

/** A value that an update may set. `null` clears a field, but not a state. */
export function changedValue(field: Field, choice: JsonSchema | undefined): JsonSchema {
  const value = { ...(choice ?? limited(field)), ...noteOf(field) }
  return typeOfField(field).lifecycle ? value : orNull(value)
}

/** Whether a new record must have the field: nothing stands in for it. */
export const isDemanded = (field: Field): boolean =>
  field.required === true && !typeOfField(field).lifecycle && (field.default === undefined || field.default === null)

function limited(field: Field): JsonSchema {
  const { reference } = typeOfField(field)
  return reference.input?.(field) ?? reference.value
}

function standIn(field: Field): JsonSchema {
  const { default: given } = field
  return given === undefined || given === null || typeOfField(field).reference.hidesDefault ? {} : { default: given }
}

const noteOf = ({ name, label, description }: Field): JsonSchema => {
  const note = [label !== name && label, description].filter(Boolean).join(': ')
  return note ? { description: note } : {}
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  const { description, default: given, ...value } = schema
  return {
    ...(description !== undefined && { description }),
    ...(given !== undefined && { default: given }),
    anyOf: [value, { type: 'null' }],
  }
}
