import { parseDate, parseDatetime } from '../../../kernel/parse-date.ts'
import { didYouMean, shown } from '../../../kernel/text/did-you-mean.ts'
import type { Field } from '../../../tables/tables/schema.ts'
import { checkValue } from '../../../tables/tables/service.ts'
import { pointText, type Scalar } from '../../columns/service.ts'
import type { QueryField } from './expression-types.ts'
import { orgUnitsVariable, readMoment, userVariable, type Variables } from './variables.ts'

export type ParsedValue = { readonly value: Scalar } | { readonly error: string }

/** Parses one value of a filter by its field's type and replaces variables. `path` is its path in error messages. */
export function parseValue(field: QueryField, given: unknown, path: string, variables: Variables): ParsedValue {
  switch (field.kind) {
    case 'text':
      if (typeof given !== 'string') return { error: `The ${path} must be a string.` }
      return given.isWellFormed()
        ? { value: given }
        : { error: `The ${path} holds an unpaired surrogate, which is not text.` }
    case 'number':
      return parseNumber(given, path, variables)
    case 'boolean':
      return typeof given === 'boolean' ? { value: given } : { error: `The ${path} must be true or false.` }
    case 'date':
    case 'datetime':
      return parseMoment(field.kind, given, path, variables)
    case 'point': {
      const checked = checkValue(field.definition as Field, given)
      return 'error' in checked
        ? { error: `The ${path} must be an object with numeric lat and lng.` }
        : { value: pointText(checked.value) as string }
    }
  }
}

function parseNumber(given: unknown, path: string, { userId }: Variables): ParsedValue {
  if (given === userVariable)
    return userId === undefined
      ? { error: `The ${path} uses the current user, and this query has no user.` }
      : { value: userId }
  if (typeof given !== 'number' || !Number.isFinite(given))
    return { error: `The ${path} must be a number.${unknownVariable(given)}` }
  return { value: given === 0 ? 0 : given }
}

function parseMoment(kind: 'date' | 'datetime', given: unknown, path: string, variables: Variables): ParsedValue {
  if (typeof given === 'string') {
    const value = readMoment(given, kind, variables) ?? (kind === 'date' ? parseDate(given) : parseDatetime(given))
    if (value !== undefined) return { value }
  }
  const advice = isVariable(given)
    ? ' Write a variable such as $NOW, $TODAY or $NOW(-7 days), in seconds, minutes, hours, days, weeks, months or years.'
    : ''
  return { error: `The ${path} is not a valid date.${advice}` }
}

const isVariable = (given: unknown): given is string => typeof given === 'string' && given.startsWith('$')

/** What to write for a variable that does not stand for a number; empty for anything else. */
function unknownVariable(given: unknown): string {
  if (!isVariable(given)) return ''
  const known = [userVariable, orgUnitsVariable]
  return ` There is no variable ${shown(given)} for it.${didYouMean(given, known) || ` There are: ${known.join(', ')}.`}`
}
