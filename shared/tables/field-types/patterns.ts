import type { RE2JS } from 're2js'
import { own } from '../../kernel/collections/own-members.ts'
import { type Problem, say } from '../../kernel/failures/sentence.ts'
import { maxPatternSteps, maxTablePatternSteps } from '../../kernel/limits/tables.ts'
import type { ErrorList } from './declaration.ts'
import type { Field } from './schema.ts'
import type { Pattern } from './types/text/text-rules.ts'

/** The pattern of a field; undefined when it has none. */
export const patternOf = (field: Field): Pattern | undefined => own(field, 'pattern') as Pattern | undefined

/** Compares texts with the patterns of their fields. */
export interface Patterns {
  /** Why a text does not match the pattern of its field; undefined when it does. */
  problem(field: Field, text: string): Problem | undefined
  /** Refuses patterns that are wrong, or take too long. */
  check(fields: readonly Field[], list: ErrorList): void
}

let opening: Promise<Patterns> | undefined

/** Loads the expressions, which are large: only tables with patterns need them. */
export const openPatterns = (): Promise<Patterns> =>
  (opening ??= import('re2js').then(({ RE2JS: expressions }) => patternsOf((regex) => expressions.compile(regex))))

function patternsOf(compile: (regex: string) => RE2JS): Patterns {
  /** Fields live as long as the configuration that they were read from. */
  const compiled = new WeakMap<Pattern, RE2JS>()
  const expressionOf = (pattern: Pattern): RE2JS => {
    const known = compiled.get(pattern)
    if (known) return known
    const expression = compile(pattern.regex)
    compiled.set(pattern, expression)
    return expression
  }
  return {
    problem(field, text) {
      const pattern = patternOf(field)
      // An empty text is no value: `required` refuses it.
      if (!pattern || text === '' || expressionOf(pattern).test(text)) return undefined
      return pattern.message ?? say('wrong_format', { field: field.name })
    },
    check(fields, list) {
      let steps = 0
      for (const [index, field] of fields.entries()) {
        const pattern = patternOf(field)
        const at = `table_fields.${index}.pattern.regex`
        if (!pattern) continue
        try {
          const size = expressionOf(pattern).programSize()
          steps += size
          if (size > maxPatternSteps)
            list.add(
              at,
              `The regex is too large: it compiles to ${size} instructions, ${maxPatternSteps} are allowed. Shorten its repetitions, such as {1,200}.`,
            )
        } catch (error) {
          list.add(at, wrongSyntax(error))
        }
      }
      if (steps > maxTablePatternSteps)
        list.add(
          'table_fields',
          `The patterns of a table may compile to ${maxTablePatternSteps} instructions together; these take ${steps}. Shorten their repetitions.`,
        )
    },
  }
}

function wrongSyntax(error: unknown): string {
  const [, reason = 'it cannot be read'] = /^error parsing regexp: ([^]*)$/.exec((error as Error).message) ?? []
  const advice = /\(\?|\\\d/.test(reason)
    ? ' Look-ahead, look-behind and back-references do not exist in RE2, which never backtracks.'
    : ''
  return `The regex is not valid in the syntax of RE2: ${reason}.${advice}`
}
