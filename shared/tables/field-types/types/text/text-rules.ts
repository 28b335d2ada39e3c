import * as z from 'zod'
import { type Problem, say } from '../../../../kernel/failures/sentence.ts'
import {
  maxPatternCharacters,
  maxPatternedCharacters,
  maxPatternMessageCharacters,
} from '../../../../kernel/limits/tables.ts'
import type { ErrorList } from '../../declaration.ts'

/** A regular expression in the syntax of RE2, which matches anywhere in a text unless it is anchored. */
export const Pattern = z.strictObject({
  regex: z.string().min(1).max(maxPatternCharacters).meta({
    description:
      'In the syntax of RE2, which does not backtrack. It matches anywhere unless it begins with `^` and ends with `$`.',
  }),
  message: z.string().min(1).max(maxPatternMessageCharacters).optional().meta({
    description: 'What a refusal says; default: `The code format is invalid.`',
  }),
})
export type Pattern = z.output<typeof Pattern>

/** What fields of texts of every type take. Characters are counted as Unicode code points. */
export const textRules = {
  min_length: z.int().min(1).optional(),
  max_length: z.int().min(1).optional(),
  pattern: Pattern.optional(),
  case_insensitive: z.boolean().optional().meta({
    description: 'With `unique`: two texts that differ only in upper and lower case are the same.',
  }),
}

/** A field that takes the rules of texts. */
export interface TextRules {
  readonly name: string
  readonly min_length?: number | undefined
  readonly max_length?: number | undefined
  readonly pattern?: Pattern | undefined
  readonly unique?: boolean | undefined
  readonly case_insensitive?: boolean | undefined
}

/** Why the length of a text does not fit its field; undefined when it does. The pattern is tested elsewhere. */
export function lengthProblem({ name, min_length, max_length, pattern }: TextRules, text: string): Problem | undefined {
  const maximum = pattern ? Math.min(max_length ?? maxPatternedCharacters, maxPatternedCharacters) : max_length
  if (maximum !== undefined && text.length > maximum && lengthOf(text) > maximum)
    return say('too_long', { field: name, max: maximum })
  // An empty text is no value: `required` refuses it.
  return min_length !== undefined && text !== '' && lengthOf(text) < min_length
    ? say('too_short', { field: name, min: min_length })
    : undefined
}

/** The number of code points. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** Refuses rules of a text that do not fit each other. */
export function checkTextRules(
  { min_length, max_length, pattern, unique, case_insensitive }: TextRules,
  at: string,
  list: ErrorList,
): void {
  if (min_length !== undefined && max_length !== undefined && min_length > max_length)
    list.add(`${at}.min_length`, 'The min_length may not be greater than the max_length.')
  if (pattern && min_length !== undefined && min_length > maxPatternedCharacters)
    list.add(`${at}.min_length`, `With a pattern the min_length may not be greater than ${maxPatternedCharacters}.`)
  if (case_insensitive && !unique)
    list.add(`${at}.case_insensitive`, 'The case_insensitive setting belongs to fields with unique: true.')
}
