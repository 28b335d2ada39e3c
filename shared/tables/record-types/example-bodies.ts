import type { Field } from '../tables/schema.ts'
import { isDemanded, slugsOf } from './field-schema.ts'

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
const isPlain = ({ type, unique, options }: Field): boolean =>
  unique !== true &&
  (['text', 'textarea', 'integer', 'float', 'boolean', 'date', 'datetime'].includes(type) ||
    (type === 'value_list' && (options?.length ?? 0) > 0))

function valueFor(field: Field): unknown {
  const { type, name, label = name, multiple, min, max, max_length } = field
  const many = (value: unknown): unknown => (multiple === true ? [value] : value)
  switch (type) {
    case 'text':
    case 'textarea':
      return `Example ${label}`.slice(0, max_length)
    case 'integer':
    case 'float':
      return Math.min(Math.max(1, min ?? 1), max ?? Infinity)
    case 'boolean':
      return true
    case 'date':
      return '2030-01-31'
    case 'datetime':
      return '2030-01-31T09:00:00Z'
    case 'value_list':
    case 'state_model':
      return many(slugsOf(field)?.[0] ?? '')
    case 'point':
      return { lat: 48.2, lng: 16.37 }
    case 'file':
    case 'image':
      return many('the path that an upload answers')
    default:
      return many(1)
  }
}
