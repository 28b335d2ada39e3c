import { schemaAt, type JsonSchema } from '../../platform/http/openapi/document-types.ts'
import type { Field, FieldType } from '../tables/schema.ts'

const integer: JsonSchema = { type: 'integer' }
const text: JsonSchema = { type: 'string' }
const id: JsonSchema = { type: 'integer', minimum: 1 }

/** What a value of a type looks like; the limits of its field come on top. */
const valueOf: Record<FieldType, JsonSchema> = {
  text,
  textarea: text,
  integer,
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  datetime: { type: 'string', format: 'date-time' },
  value_list: text,
  state_model: text,
  user: id,
  model_list: id,
  company: id,
  org_unit: id,
  file: schemaAt('FilePaths'),
  image: text,
  point: schemaAt('Point'),
}

/** The schemas that fields of several tables share. */
export const valueSchemas: Readonly<Record<string, JsonSchema>> = {
  FilePaths: {
    description: 'The path of an uploaded file, or up to 50 distinct ones where the field takes several.',
    anyOf: [
      { type: 'string', minLength: 1, maxLength: 1024 },
      { type: 'array', maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 1024 } },
    ],
  },
  Point: {
    type: 'object',
    required: ['lat', 'lng'],
    properties: {
      lat: { type: 'number', minimum: -90, maximum: 90 },
      lng: { type: 'number', minimum: -180, maximum: 180 },
    },
    additionalProperties: false,
  },
}

/** The slugs that a field may hold; undefined for fields that are no choice. */
export function slugsOf(field: Field): readonly string[] | undefined {
  const choices = field.type === 'value_list' ? field.options : field.type === 'state_model' ? field.states : undefined
  return choices?.length ? choices.map(({ slug }) => slug) : undefined
}

/** A value of the field, as answers show it. `choice` is the schema of its slugs, when it is a choice. */
export const shownValue = (field: Field, choice: JsonSchema | undefined): JsonSchema =>
  orNull({ ...(choice ?? valueOf[field.type]), ...noteOf(field) })

/** A value that a new record may have. */
export function newValue(field: Field, choice: JsonSchema | undefined): JsonSchema {
  const value = { ...(choice ?? limited(field)), ...noteOf(field), ...standIn(field) }
  return isDemanded(field) ? filled(field, value) : orNull(value)
}

/** A value that an update may set. `null` clears a field, but not a state. */
export function changedValue(field: Field, choice: JsonSchema | undefined): JsonSchema {
  const value = { ...(choice ?? limited(field)), ...noteOf(field) }
  return field.type === 'state_model' ? value : orNull(value)
}

/** Whether a new record must have the field: nothing stands in for it. */
export const isDemanded = (field: Field): boolean =>
  field.required === true && field.type !== 'state_model' && (field.default === undefined || field.default === null)

function limited(field: Field): JsonSchema {
  const { min, max, max_length } = field
  const value = valueOf[field.type]
  switch (field.type) {
    case 'text':
    case 'textarea':
      return max_length === undefined ? value : { ...value, maxLength: max_length }
    case 'integer':
    case 'float':
      return { ...value, ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) }
    default:
      return value
  }
}

/** A required text holds something. */
const filled = (field: Field, value: JsonSchema): JsonSchema =>
  field.type === 'text' || field.type === 'textarea' ? { ...value, minLength: 1 } : value

const standIn = ({ type, default: given }: Field): JsonSchema =>
  given === undefined || given === null || type === 'file' ? {} : { default: given }

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
