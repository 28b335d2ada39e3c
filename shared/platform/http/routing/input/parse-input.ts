import * as z from 'zod'
import { byName, own } from '../../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../../kernel/failures/faults.ts'
import { maxJobErrors } from '../../../../kernel/limits/imports.ts'
import { didYouMean, listed, openSuggestions } from '../../../../kernel/text/did-you-mean.ts'
import { unwrapped } from './known-names.ts'

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
    fieldErrors((value === undefined && missingFields(schema)) || result.error.issues, root, (path) =>
      memberNames(schemaAt(schema, path)),
    ),
  )
}

/** The names that the schema of an object knows. */
const memberNames = (schema: z.ZodType | undefined): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : []

/** The schema of what stands at a path; undefined where it depends on the value. */
function schemaAt(schema: z.ZodType | undefined, path: readonly PropertyKey[]): z.ZodType | undefined {
  const inner = schema && unwrapped(schema)
  const [step, ...rest] = path
  if (step === undefined) return inner
  if (inner instanceof z.ZodArray) return schemaAt(inner.element as z.ZodType, rest)
  if (inner instanceof z.ZodRecord) return schemaAt(inner.valueType as z.ZodType, rest)
  if (inner instanceof z.ZodObject) return schemaAt(own(inner.shape, String(step)) as z.ZodType | undefined, rest)
  return undefined
}

/** The required fields, for a request without a body; undefined when the schema is not an object. */
function missingFields(schema: z.ZodType): readonly Issue[] | undefined {
  const issues = schema.safeParse({}, { reportInput: true }).error?.issues
  return issues?.every(({ path }) => path.length > 0) ? issues : undefined
}

/**
 * Messages by field path, or under `root` for issues of the whole value. `knownAt`: the names of the object at a path, for
 * the suggestion at a mistyped one.
 */
export function fieldErrors(
  issues: readonly Issue[],
  root = 'body',
  knownAt: (path: readonly PropertyKey[]) => readonly string[] = () => [],
): FieldErrors {
  const errors: FieldErrors = byName()
  const nearest = openSuggestions()
  // No answer and no job names more; a body may have 100,000 wrong values.
  for (const issue of issues.slice(0, maxJobErrors)) {
    if (issue.code === 'unrecognized_keys') {
      const known = knownAt(issue.path)
      for (const key of issue.keys.slice(0, maxJobErrors)) {
        const advice = didYouMean(key, known, nearest) || (known.length > 0 ? ` Known are: ${listed(known)}.` : '')
        add(errors, [...issue.path, key].join('.'), `The ${key} field is unknown.${advice}`)
      }
    } else {
      const path = issue.path.join('.') || root
      add(errors, path, describeIssue(issue, path))
    }
  }
  return errors
}

function add(errors: FieldErrors, path: string, message: string): void {
  const known = errors[path]
  if (known) known.push(message)
  else errors[path] = [message]
}

/** How zod's own messages begin. Any other message was written for the schema. */
const zodsOwnWords = /^(Invalid |Too (small|big): |Unrecognized key)/

function describeIssue(issue: Issue, name: string): string {
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined)
    return `The ${name} field is required.`
  if (!zodsOwnWords.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return `The ${name} must be ${own(typeNames, issue.expected) ?? issue.expected}.`
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
      return `The ${name} ${own(formatProblems, issue.format) ?? 'format is invalid'}.`
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
