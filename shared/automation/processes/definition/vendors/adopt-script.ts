import { freeNames } from '../../../../scripts/service.ts'
import { globalNames } from '../../expressions/global-names.ts'
import { isJavaScript } from '../check/check-gateways.ts'
import type { VendorHost } from './vendor-words.ts'

/** What scripts of Camunda 7 and Flowable call, in one line so that the lines of the script keep their numbers. */
const execution =
  'const execution = { getVariable: (name) => variables[name] ?? null, setVariable: (name, value) => { variables[name] = value }, hasVariable: (name) => variables[name] !== undefined, removeVariable: (name) => { delete variables[name] } }; '

const own: ReadonlySet<string> = new Set(['record', 'old', 'user', 'task', 'tasks', 'variables', 'loop'])

/** Reads a script task of another engine. One in another language is not run. */
export function adoptScript(host: VendorHost): void {
  const { node, take, warn } = host
  const result = take('resultVariable')
  if (result !== undefined) node.resultVariable ??= result.text
  const format = node.scriptFormat as string | undefined
  if (typeof node.script !== 'string') return
  if (format !== undefined && !isJavaScript(format)) {
    warn(`has a script in "${format}", which is not run: the task does nothing; write it in JavaScript`)
    node.script = undefined
    node.resultVariable = undefined
    return
  }
  const free = freeNames(node.script)
  // Variables of the process are names of a script there.
  const variables = free.filter(
    (name) => name !== 'execution' && !own.has(name) && !globalNames.has(name) && !name.startsWith('$'),
  )
  const names = variables.length > 0 ? `var { ${variables.join(', ')} } = variables; ` : ''
  node.script = `${names}${free.includes('execution') ? execution : ''}${node.script}`
}
