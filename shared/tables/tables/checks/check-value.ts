import { maxFilePathCharacters, maxFilesPerField } from '../../../kernel/limits/records.ts'
import { parseDate, parseDatetime } from '../../../kernel/parse-date.ts'
import { listed, thereIsNo } from '../../../kernel/text/did-you-mean.ts'
import type { Field } from '../schema.ts'

/** A value in its stored form, or an error in the wording of Laravel's validator. */
export type CheckedValue = { readonly value: unknown } | { readonly error: string }

/**
 * Checks one non-null value against its field and converts it to its stored form. Does not check that references exist.
 */
export function checkValue(field: Field, value: unknown): CheckedValue {
  const { name } = field
  switch (field.type) {
    case 'text':
    case 'textarea':
      return checkText(field, value)
    case 'integer':
    case 'float':
      return checkNumber(field, value)
    case 'boolean':
      return typeof value === 'boolean' ? { value } : { error: `The ${name} field must be true or false.` }
    case 'date':
      return found(typeof value === 'string' ? parseDate(value) : undefined, `The ${name} is not a valid date.`)
    case 'datetime':
      return found(typeof value === 'string' ? parseDatetime(value) : undefined, `The ${name} is not a valid date.`)
    case 'value_list':
      return checkSlug(field, value, field.options)
    case 'state_model':
      return checkSlug(field, value, field.states)
    case 'user':
    case 'model_list':
    case 'company':
    case 'org_unit':
      return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
        ? { value }
        : {
            error: Number.isSafeInteger(value)
              ? `The selected ${name} is invalid.`
              : `The ${name} must be the id of ${referent(field)}, a positive integer.`,
          }
    case 'file':
      return checkPaths(field, value)
    case 'image':
      return isPath(value) ? { value } : { error: `The ${name} must be a file path.` }
    case 'point':
      return checkPoint(field, value)
  }
}

const referent = ({ type, target_table }: Field): string =>
  type === 'user'
    ? 'a user'
    : type === 'company'
      ? 'a company'
      : type === 'org_unit'
        ? 'an organisational unit'
        : `a record in ${target_table}`

const found = (value: unknown, error: string): CheckedValue => (value === undefined ? { error } : { value })

function checkText(field: Field, value: unknown): CheckedValue {
  if (typeof value !== 'string') return { error: `The ${field.name} must be a string.` }
  const { max_length } = field
  if (max_length !== undefined && value.length > max_length && [...value].length > max_length) {
    return { error: `The ${field.name} may not be greater than ${max_length} characters.` }
  }
  return { value }
}

function checkNumber(field: Field, value: unknown): CheckedValue {
  const { name, min, max } = field
  if (typeof value !== 'number' || !Number.isFinite(value)) return { error: `The ${name} must be a number.` }
  if (field.type === 'integer' && !Number.isInteger(value)) return { error: `The ${name} must be an integer.` }
  if (field.type === 'integer' && !Number.isSafeInteger(value)) {
    return { error: `The ${name} must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.` }
  }
  if (min !== undefined && value < min) return { error: `The ${name} must be at least ${min}.` }
  if (max !== undefined && value > max) return { error: `The ${name} may not be greater than ${max}.` }
  // -0 is valid JSON, but in an index it would differ from 0.
  return { value: value === 0 ? 0 : value }
}

function checkSlug(field: Field, value: unknown, choices: readonly { slug: string }[] = []): CheckedValue {
  const known = choices.map(({ slug }) => slug)
  const selected = `The selected ${field.name} is invalid`
  if (typeof value !== 'string') return { error: `${selected}: it must be a string, one of ${listed(known)}.` }
  if (known.includes(value)) return { value }
  return { error: `${selected}: ${thereIsNo(field.type === 'state_model' ? 'state' : 'option', value, known)}` }
}

function checkPaths(field: Field, value: unknown): CheckedValue {
  const { name } = field
  if (isPath(value)) return { value }
  if (!Array.isArray(value) || !value.every(isPath))
    return { error: `The ${name} must be a file path or an array of file paths.` }
  if (!field.multiple && value.length > 1) return { error: `The ${name} may hold only one file.` }
  if (value.length > maxFilesPerField) return { error: `The ${name} may not have more than ${maxFilesPerField} files.` }
  if (new Set(value).size < value.length) return { error: `The ${name} names a file twice.` }
  return { value }
}

const isPath = (value: unknown): boolean =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= maxFilePathCharacters &&
  !/\p{Cc}/u.test(value) &&
  !value.split('/').includes('..')

function checkPoint(field: Field, value: unknown): CheckedValue {
  const { name } = field
  const wrong = { error: `The ${name} must be an object with numeric lat (-90 to 90) and lng (-180 to 180).` }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong
  const { lat, lng, ...rest } = value as Record<string, unknown>
  if (Object.keys(rest).length > 0) return wrong
  const within = (part: unknown, limit: number): boolean => typeof part === 'number' && Math.abs(part) <= limit
  return within(lat, 90) && within(lng, 180) ? { value: { lat, lng } } : wrong
}
