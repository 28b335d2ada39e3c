import { textProblem } from '../check/expression-problems.ts'
import { expressionOf, feelOf } from '../expression.ts'
import type { BpmnElement } from '../read/bpmn-element.ts'
import { translateUel } from './translate-uel.ts'

/**
 * Translates a text of another engine, with `${...}` or `#{...}` of UEL or as FEEL behind `=`, to one of the service.
 * Undefined when it cannot mean the same.
 */
export function translateText(text: string): string | undefined {
  if (feelOf(text) !== undefined) return usable(`\${${text}}`)
  let isKnown = true
  const translated = text.replaceAll(/[$#]\{([^{}]*)\}/g, (_, code: string) => {
    const source = translateUel(code)
    isKnown &&= source !== undefined && source !== ''
    return `\${${source}}`
  })
  // A text in an expression is that text, in which several names may be.
  const [, , constant] = /^\s*\$\{\s*(["'])([^"'\\$]*)\1\s*\}\s*$/.exec(translated) ?? []
  return isKnown ? (constant ?? usable(translated)) : undefined
}

const usable = (text: string): string | undefined => (textProblem(text) === undefined ? text : undefined)

/** The languages whose names, literals and operators mean the same as those of UEL. */
const alike: ReadonlySet<string> = new Set(['groovy', 'python', 'jython', 'ruby', 'jruby', 'kotlin', 'kts', 'java'])

function translateScript(expression: BpmnElement, language: string): void {
  const source = alike.has(language.trim().toLowerCase()) ? translateUel(String(expression.body).trim()) : undefined
  if (source === undefined || source === '') return
  expression.language = undefined
  expression.body = `\${${source}}`
}

/** Translates an expression of the document in place, when it is one of UEL that means the same. */
export function translateExpression(expression: BpmnElement | undefined): void {
  if (typeof expression?.body !== 'string') return
  const { language } = expression
  if (language !== undefined && !/(?:^|[/:.])j?uel$/i.test(language.trim()))
    return translateScript(expression, language)
  const source = expressionOf(expression.body)
  if (feelOf(source) !== undefined) return
  if (language !== undefined) expression.language = undefined
  const isMarked = source !== expression.body.trim()
  const translated = isMarked || language !== undefined ? translateUel(source) : undefined
  if (translated !== undefined) expression.body = `\${${translated}}`
}
