import { type Options, parseExpressionAt, tokenizer } from 'acorn'
import { checkSource, ScriptSyntaxError } from '../../../scripts/source/check-source.ts'
import { type FeelExpression, feelExpressions } from '../../../tables/formulas/service.ts'
import { expressionOf, feelOf, parseExpression } from './expression.ts'

/** What is wrong with a condition (JavaScript, bare or as `${...}`); undefined: nothing. */
export function conditionProblem(text: string | undefined): string | undefined {
  const source = expressionOf(text ?? '')
  return source === '' ? 'it is empty' : sourceProblem(source)
}

let compileFeel: ((source: string) => FeelExpression) | undefined

/** Loads FEEL, which the checks of expressions need. */
export async function openExpressionChecks(): Promise<void> {
  compileFeel ??= await feelExpressions()
}

/** The value of an expression in FEEL that names nothing, as JSON; undefined for any other. */
export function constantFeel(text: string): unknown {
  const feel = feelOf(expressionOf(text))
  if (feel === undefined || feel === '' || compileFeel === undefined) return undefined
  const { names, problems, evaluate } = compileFeel(feel)
  return names.size === 0 && problems.length === 0 ? (evaluate({}) ?? undefined) : undefined
}

/** A text in an expression needs no instance. */
export const textIn = (source: string): string | undefined => /^(["'])([^"'\\]*)\1$/.exec(source)?.[2]

/** The time that an expression says without an instance, as that of a start event must; undefined: it needs one. */
export function constantTime(text: string): string | undefined {
  const value = textIn(expressionOf(text)) ?? constantFeel(text)
  return typeof value === 'string' ? value : undefined
}

/** What a text must be, for messages: `a JavaScript expression`. */
export const expressionKind = (text: unknown): string =>
  `a ${feelOf(expressionOf(String(text ?? ''))) === undefined ? 'JavaScript' : 'FEEL'} expression`

/** What is wrong with the expressions in a text; undefined: nothing, or it has none. */
export function textProblem(text: string): string | undefined {
  try {
    const parsed = parseExpression(text)
    return parsed.kind === 'literal' ? undefined : sourceProblem(parsed.source)
  } catch (cause) {
    if (cause instanceof SyntaxError) return decapitalize(cause.message)
    throw cause
  }
}

/** What is wrong with a script; undefined: nothing. */
export function scriptProblem(script: string): string | undefined {
  try {
    checkSource(script)
    return undefined
  } catch (cause) {
    if (cause instanceof ScriptSyntaxError)
      return `${decapitalize(cause.message)} (line ${cause.line}, column ${cause.column})`
    throw cause
  }
}

const lead = 'return ('
// Without its brackets, `(a > 1)` would end before the last one.
const options: Options = { ecmaVersion: 2024, sourceType: 'script', preserveParens: true }

/** The text must be exactly one expression: in `return (...)` it must end where the text ends. */
function sourceProblem(source: string): string | undefined {
  const feel = feelOf(source)
  if (feel !== undefined) {
    if (compileFeel === undefined) throw new Error('expressions are checked before FEEL is loaded')
    const [problem] = feel === '' ? ['it is empty'] : compileFeel(feel).problems
    return problem && decapitalize(problem.replace(/\.$/, ''))
  }
  try {
    const { code } = checkSource(`${lead}${source}\n)`)
    const expression = code.slice(lead.length, -2)
    const { end } = parseExpressionAt(expression, 0, options)
    const [rest] = tokenizer(expression.slice(end), options)
    return rest === undefined ? undefined : 'it must be one expression, without statements or a semicolon'
  } catch (cause) {
    if (cause instanceof ScriptSyntaxError) return decapitalize(cause.message)
    if (cause instanceof SyntaxError) return decapitalize(cause.message.replace(/ \(\d+:\d+\)$/, ''))
    throw cause
  }
}

const decapitalize = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
