import * as z from 'zod'
import { Invalid, type FieldErrors } from '../../kernel/faults.ts'
import { nearestWord } from '../../kernel/text/nearest-word.ts'

type Issue = z.core.$ZodIssue

/** The types of schemas in the words of messages. */
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

/**
 * Parses a value with its schema. Throws one Invalid that names every wrong path, in the wording of Laravel's
 * validator.
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  root: 'body' | 'query' = 'body',
): z.output<S> {
  // With its input, an issue shows whether the value is missing or wrong.
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  throw new Invalid(
    fieldErrors((value === undefined && missingFields(schema)) || result.error.issues, root, memberNames(schema)),
  )
}

/** The names that the schema of an object knows. */
const memberNames = (schema: z.ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []

/** The required fields, for a request without a body; undefined when the schema is not an object. */
function missingFields(schema: z.ZodType): readonly Issue[] | undefined {
  const issues = schema.safeParse({}, { reportInput: true }).error?.issues
  return issues?.every(({ path }) => path.length > 0) ? issues : undefined
}

/**
 * Messages by field path, or under `root` for issues of the whole value. `known`: the names of the outermost object, for
 * the suggestion at a mistyped one.
 */
export function fieldErrors(issues: readonly Issue[], root = 'body', known: readonly string[] = []): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const nearest = issue.path.length === 0 ? nearestWord(key, known) : undefined
        const suggestion = nearest === undefined ? '' : ` Did you mean ${nearest}?`
        add(errors, [...issue.path, key].join('.'), `The ${key} field is unknown.${suggestion}`)
      }
    } else {
      const path = issue.path.join('.') || root
      add(errors, path, describeIssue(issue, path))
    }
  }
  return errors
}

/** Safe for paths such as `toString` and `__proto__`. */
function add(errors: FieldErrors, path: string, message: string): void {
  if (Object.hasOwn(errors, path)) errors[path]?.push(message)
  else Object.defineProperty(errors, path, { value: [message], enumerable: true, writable: true, configurable: true })
}

/** How zod's own messages begin. Any other message was written for the schema. */
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
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined
        ? `The selected ${name} is invalid: it must be one of ${issue.options.map(String).join(', ')}.`
        : `The ${name} is invalid.`
    case 'invalid_value':
      return `The selected ${name} is invalid: it must be one of ${issue.values.map(String).join(', ')}.`
    default:
      return issue.message === 'Invalid input' ? `The ${name} is invalid.` : issue.message
  }
}
