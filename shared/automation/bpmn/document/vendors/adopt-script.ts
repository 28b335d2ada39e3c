import { parse } from 'acorn'
import { freeNames } from '../../../../scripts/source/free-names.ts'
import { conditionProblem } from '../../expressions/expression-problems.ts'
import { isJavaScript } from '../../expressions/expression.ts'
import { globalNames } from '../../expressions/global-names.ts'
import type { BpmnElement } from '../../shapes/bpmn-element.ts'
import { isVariable } from '../read/read-work.ts'
import { literalOf } from './translate-text.ts'
import { translateUel } from './translate-uel.ts'
import { quoted, type VendorHost, wordOf } from './vendor-words.ts'

/** What scripts of Camunda 7 and Flowable call, in one line so that the lines of the script keep their numbers. */
const execution =
  'const execution = { getVariable: (name) => variables[name] ?? null, setVariable: (name, value) => { variables[name] = value }, hasVariable: (name) => variables[name] !== undefined, removeVariable: (name) => { delete variables[name] } }; '

const printing = new Map([
  ['print', 'const print = (...what) => $api.log(what.join(" ")); '],
  ['println', 'const println = (...what) => $api.log(what.join(" ")); '],
])

const own: ReadonlySet<string> = new Set(['record', 'old', 'user', 'task', 'tasks', 'variables', 'loop'])

/** What scripts of other engines call that runs on Java. */
const ofJava: ReadonlySet<string> = new Set(['Packages', 'Java', 'java', 'javax', 'org', 'com', 'importClass', 'load'])

/** Leaves out a script that is not JavaScript, and tells of it. */
export function leaveOutScript(node: BpmnElement, warn: VendorHost['warn']): void {
  const format = node.scriptFormat as string | undefined
  if (format === undefined || isJavaScript(format)) return
  warn(`has a script in "${format}", which is not run: the task does nothing; write it in JavaScript`)
  node.script = undefined
  node.scriptFormat = undefined
  node.resultVariable = undefined
}

/** Reads a script task of another engine. One in another language is not run. */
export function adoptScript(host: VendorHost): void {
  const { node, take, warn } = host
  const result = take('resultVariable') ?? take('resultVariableName')
  if (result !== undefined) node.resultVariable ??= result.text
  readFeel(host)
  readUel(node)
  leaveOutScript(node, warn)
  if (typeof node.script !== 'string') return
  node.script = scriptOf(node.resultVariable === undefined ? node.script : withResult(node.script), warn)
}

/** Reads the expression of a script task of Camunda 8, whose result is a variable. */
function readFeel({ node, takeElements, warn }: VendorHost): void {
  const [script] = takeElements('zeebe', 'script')
  const [expression, result] = [script && wordOf(script, 'expression'), script && wordOf(script, 'resultVariable')]
  if (expression === undefined || node.script !== undefined) return
  const source = literalOf(expression.text.replace(/^=/, '')) ?? expression.text
  const extensions = node.extensionElements
  if (result === undefined || !isVariable(result.text) || conditionProblem(source) !== undefined || !extensions)
    warn(`has ${quoted(expression)}, which the service cannot evaluate: the task does nothing; use wf:script`)
  else extensions.values = [{ $type: 'wf:Out', $attrs: {}, target: result.text, source }, ...(extensions.values ?? [])]
}

/** Reads a script that is one expression of UEL as JavaScript. */
function readUel(node: BpmnElement): void {
  const script = typeof node.script === 'string' ? node.script.trim() : ''
  const format = (node.scriptFormat as string | undefined)?.trim().toLowerCase()
  const [, code] = /^[$#]\{([^{}]*)\}$/.exec(script) ?? []
  if (format !== 'juel' && (format !== undefined || code === undefined)) return
  const source = code === undefined ? undefined : translateUel(code)
  if (source !== undefined && source.trim() !== '') {
    node.script = source
    node.scriptFormat = undefined
  } else node.scriptFormat = 'juel'
}

/** Their scripts answer the value of their last statement, and ours what they return. */
export function withResult(script: string): string {
  try {
    const last = parse(script, { ecmaVersion: 2024, sourceType: 'script' }).body.at(-1)
    if (last?.type !== 'ExpressionStatement') return script
    return `${script.slice(0, last.start)}return ${script.slice(last.start)}`
  } catch (cause) {
    // One that returns something is no script of theirs; `readWork` reports broken ones.
    if (cause instanceof SyntaxError) return script
    throw cause
  }
}

/** A script of another engine, as one of the service. */
export function scriptOf(script: string, warn: VendorHost['warn']): string {
  const free = freeNames(script)
  const java = free.filter((name) => ofJava.has(name))
  if (java.length > 0) warn(`has a script that uses Java (${java.join(', ')}), which there is not: it stops there`)
  // Variables of the process are names of a script there.
  const variables = free.filter(
    (name) =>
      name !== 'execution' && !printing.has(name) && !own.has(name) && !globalNames.has(name) && !name.startsWith('$'),
  )
  const names = variables.length > 0 ? `var { ${variables.join(', ')} } = variables; ` : ''
  const printed = free.flatMap((name) => printing.get(name) ?? []).join('')
  return `${names}${free.includes('execution') ? execution : ''}${printed}${script}`
}
