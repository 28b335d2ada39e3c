import type * as z from 'zod'
import { Invalid, type FieldErrors } from '../../kernel/faults.ts'

type Issue = z.core.$ZodIssue

/** What a person calls the type a schema asked for. */
const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

const formatProblems: Partial<Record<string, string>> = {
  email: 'must be a valid email address',
  datetime: 'is not a valid date',
}

/** Checks a value against its schema; a mismatch becomes one 422 that names every path, in the wording of Laravel's validator. */
export function parseInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  root: 'body' | 'query' = 'body',
): z.output<S> {
  // Without its input an issue cannot tell a missing value from a wrong one.
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw new Invalid(fieldErrors((value === undefined && missingFields(schema)) || result.error.issues, root))
}

/** Who sends nothing is told what is missing, when the schema requires anything by name. */
function missingFields(schema: z.ZodType): readonly Issue[] | undefined {
  const issues = schema.safeParse({}, { reportInput: true }).error?.issues
  return issues?.every(({ path }) => path.length > 0) ? issues : undefined
}

export function fieldErrors(issues: readonly Issue[], root = 'body'): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add(errors, [...issue.path, key].join('.'), `The ${key} field is unknown.`)
    } else {
      const path = issue.path.join('.') || root
      add(errors, path, describeIssue(issue, path))
    }
  }
  return errors
}

/** A path may be called `toString` or `__proto__`: only what the answer itself holds counts as present. */
function add(errors: FieldErrors, path: string, message: string): void {
  if (Object.hasOwn(errors, path)) errors[path]?.push(message)
  else Object.defineProperty(errors, path, { value: [message], enumerable: true, writable: true, configurable: true })
}

/** How zod begins the messages that it words itself; whatever begins otherwise was worded by the schema's author. */
const zodsOwnWords = /^(Invalid |Too (small|big): |Unrecognized key)/

function describeIssue(issue: Issue, name: string): string {
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined)
    return `The ${name} field is required.`
  if (!zodsOwnWords.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `The ${name} must be ${typeNames[issue.expected] ?? issue.expected}.`
    case 'too_small':
      if (issue.origin === 'string') {
        return Number(issue.minimum) <= 1
          ? `The ${name} field is required.`
          : `The ${name} must be at least ${issue.minimum} characters.`
      }
      if (issue.origin === 'array') return `The ${name} must have at least ${issue.minimum} items.`
      return `The ${name} must be at least ${issue.minimum}.`
    case 'too_big':
      if (issue.origin === 'string') return `The ${name} may not be greater than ${issue.maximum} characters.`
      if (issue.origin === 'array') return `The ${name} may not have more than ${issue.maximum} items.`
      return `The ${name} may not be greater than ${issue.maximum}.`
    case 'invalid_format':
      return `The ${name} ${formatProblems[issue.format] ?? 'format is invalid'}.`
    case 'invalid_value':
      return `The selected ${name} is invalid: it must be one of ${issue.values.map(String).join(', ')}.`
    default:
      return issue.message === 'Invalid input' ? `The ${name} is invalid.` : issue.message
  }
}
