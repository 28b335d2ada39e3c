import { conditionProblem, textProblem } from '../../expressions/expression-problems.ts'
import { expressionOf, feelOf, isFeel, isJavaScript } from '../../expressions/expression.ts'
import type { BpmnElement } from '../../shapes/bpmn-element.ts'
import { translateUel } from './translate-uel.ts'
import type { VendorHost } from './vendor-words.ts'

/**
 * Translates a text of another engine, with `${...}` or `#{...}` of UEL or as FEEL behind `=`, to one of the service.
 * Undefined when it cannot mean the same.
 */
export function translateText(text: string): string | undefined {
  const feel = feelOf(text)
  if (feel !== undefined) {
    const literal = literalOf(feel)
    return usable(`\${${literal ?? text}}`)
  }
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

/** A list or an object of JSON, which FEEL and JavaScript write alike, as JavaScript; undefined: it is none. */
export function literalOf(text: string): string | undefined {
  if (!/^[[{]/.test(text.trim())) return undefined
  try {
    return `(${JSON.stringify(JSON.parse(text))})`
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}

/** An expression in place of one that cannot be evaluated: where it is needed, the process stops and says why. */
export const stopping = (why: string): string => `\${(() => { throw new Error(${JSON.stringify(why)}) })()}`

const usable = (text: string): string | undefined => (textProblem(text) === undefined ? text : undefined)

/** The languages whose names, literals and operators mean the same as those of UEL. */
const alike: ReadonlySet<string> = new Set(['groovy', 'python', 'jython', 'ruby', 'jruby', 'kotlin', 'kts', 'java'])

function translateScript(expression: BpmnElement, language: string): boolean {
  const source = alike.has(language.trim().toLowerCase()) ? translateUel(String(expression.body).trim()) : undefined
  if (source === undefined || source === '') return false
  expression.language = undefined
  expression.body = `\${${source}}`
  return true
}

/**
 * Translates an expression of the document in place, when it is one of UEL that means the same. `host`: of another engine;
 * what cannot be evaluated stops there, with a warning.
 */
export function translateExpression(expression: BpmnElement | undefined, host?: VendorHost): void {
  if (expression === undefined) return
  const stop = (what: string): void => {
    expression.body = stopping(`It has ${what}, which is not run here.`)
    expression.language = undefined
    host?.warn(`has ${what}, which is not run: it stops there; write it in JavaScript`)
  }
  const resource = host?.take('resource', expression)
  if (resource !== undefined && resource.text !== '')
    return stop(`the expression of the file "${resource.text.slice(0, 80)}"`)
  if (typeof expression.body !== 'string') return
  const { language } = expression
  if (language !== undefined && !/(?:^|[/:.])j?uel$/i.test(language.trim())) {
    const isKnown = isJavaScript(language) || isFeel(language) || translateScript(expression, language)
    return isKnown || host === undefined ? undefined : stop(`an expression in "${language.slice(0, 40)}"`)
  }
  const source = expressionOf(expression.body)
  const feel = feelOf(source)
  if (feel !== undefined) {
    const problem = conditionProblem(source)
    // What cannot be read at all is a mistake, and found as such.
    if (host !== undefined && problem !== undefined && feel !== '' && !problem.includes('cannot be read'))
      stop(`the expression "${source.slice(0, 80)}"`)
    return
  }
  if (language !== undefined) expression.language = undefined
  const isMarked = source !== expression.body.trim()
  const translated = isMarked || language !== undefined ? translateUel(source) : undefined
  if (translated !== undefined) expression.body = `\${${translated}}`
}
