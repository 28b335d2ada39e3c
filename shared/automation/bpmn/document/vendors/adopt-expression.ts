import { isVariable } from '../read/read-work.ts'
import { scriptOf } from './adopt-script.ts'
import { translateUel } from './translate-uel.ts'
import { quoted, type VendorHost } from './vendor-words.ts'

/** `execution.setVariable("name", value)`, with the name and the value. */
const setting = /^execution\.setVariable\(\s*(['"])([\w$]+)\1\s*,([\s\S]*)\)$/

/** Reads the expression that a task of another engine evaluates, as a script. One that calls Java does nothing, with a warning. */
export function adoptExpression(host: VendorHost): void {
  const { node, take, warn } = host
  const isDescribed = (node.extensionElements?.values ?? []).some(({ $type }) => /^wf:(?!In$|Out$)/.test($type))
  if (node.script !== undefined || node.action !== undefined || node.decision !== undefined || isDescribed) return
  const written = take('expression')
  if (written === undefined) return
  const result = take('resultVariable') ?? take('resultVariableName')
  const code = /^[$#]\{([^{}]*)\}$/.exec(written.text)?.[1]?.trim() ?? ''
  const [, , target, value] = setting.exec(code) ?? []
  const source = translateUel(value ?? code)
  const variable = target ?? result?.text
  if (source === undefined || source.trim() === '' || (variable !== undefined && !isVariable(variable)))
    warn(`has ${quoted(written)}, which the service cannot evaluate: the task does nothing; use wf:script`)
  else if (target !== undefined) node.script = scriptOf(`variables.${target} = ${source}`, warn)
  // Without a result it would be evaluated for nothing.
  else if (variable !== undefined) {
    node.script = scriptOf(`return ${source}`, warn)
    node.resultVariable ??= variable
  }
}
