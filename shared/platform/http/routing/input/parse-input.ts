import * as z from 'zod'
import { byName, own } from '../../../../kernel/collections/own-members.ts'
import { type FieldErrors, Invalid } from '../../../../kernel/failures/faults.ts'
import { type Problem, type Sentence, say } from '../../../../kernel/failures/sentence.ts'
import type { SentenceCode } from '../../../../kernel/failures/sentences.ts'
import { maxJobErrors } from '../../../../kernel/limits/imports.ts'
import { openSuggestions } from '../../../../kernel/text/did-you-mean.ts'
import { unwrapped } from './known-names.ts'

type Issue = z.core.$ZodIssue

/** What is said of a value that is not of the type of its schema. */
const saidOfType = {
  string: 'not_text',
  number: 'not_number',
  int: 'not_integer',
  boolean: 'not_boolean',
  array: 'not_list',
  object: 'not_object',
  record: 'not_object',
} as const satisfies Record<string, SentenceCode>

/** What is said of a text that has not the format of its schema. */
const saidOfFormat = { email: 'not_address', datetime: 'not_date' } as const satisfies Record<string, SentenceCode>

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
        const near = nearest(key, known)
        const advice = near === undefined ? { known } : { nearest: near }
        add(errors, [...issue.path, key].join('.'), say('unknown_field', { field: key, ...advice }))
      }
    } else {
      const path = issue.path.join('.') || root
      add(errors, path, describeIssue(issue, path))
    }
  }
  return errors
}

function add(errors: FieldErrors, path: string, problem: Problem): void {
  const known = errors[path]
  if (known) known.push(problem)
  else errors[path] = [problem]
}

/** How zod's own messages begin. Any other message was written for the schema. */
const zodsOwnWords = /^(Invalid |Too (small|big): |Unrecognized key)/

function describeIssue(issue: Issue, field: string): Problem {
  if ((issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.input === undefined)
    return say('required', { field })
  if (issue.code === 'custom' && issue.params?.sentence) return issue.params.sentence as Sentence
  if (!zodsOwnWords.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type': {
      const code = own(saidOfType, issue.expected)
      return code === undefined ? `The ${field} must be ${issue.expected}.` : say(code, { field })
    }
    case 'too_small': {
      const min = Number(issue.minimum)
      if (issue.origin === 'string') return min <= 1 ? say('required', { field }) : say('too_short', { field, min })
      return say(issue.origin === 'array' ? 'too_few_items' : 'too_small', { field, min })
    }
    case 'too_big': {
      const max = Number(issue.maximum)
      if (issue.origin === 'string') return say('too_long', { field, max })
      return say(issue.origin === 'array' ? 'too_many_items' : 'too_great', { field, max })
    }
    case 'invalid_format':
      return say(own(saidOfFormat, issue.format) ?? 'wrong_format', { field })
    case 'invalid_union':
      return 'options' in issue && issue.options !== undefined
        ? say('not_one_of', { field, allowed: issue.options.map(String) })
        : say('invalid', { field })
    case 'invalid_value':
      return say('not_one_of', { field, allowed: issue.values.map(String) })
    default:
      return issue.message === 'Invalid input' ? say('invalid', { field }) : issue.message
  }
}
