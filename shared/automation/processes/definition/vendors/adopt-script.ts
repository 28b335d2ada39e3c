import { isJavaScript } from '../check/check-gateways.ts'
import type { VendorHost } from './vendor-words.ts'

/** What scripts of Camunda 7 and Flowable call, in one line so that the lines of the script keep their numbers. */
const execution =
  'const execution = { getVariable: (name) => variables[name] ?? null, setVariable: (name, value) => { variables[name] = value }, hasVariable: (name) => variables[name] !== undefined, removeVariable: (name) => { delete variables[name] } }; '

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
  } else if (/\bexecution\s*\./.test(node.script) && !/\bexecution\s*=/.test(node.script))
    node.script = execution + node.script
}
