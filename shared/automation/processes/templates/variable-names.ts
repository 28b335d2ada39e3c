import { didYouMean, nearestWord } from '../../../kernel/text/did-you-mean.ts'
import { freeNames } from '../../../scripts/source/free-names.ts'
import { memberUses } from '../../../scripts/source/script-warnings.ts'
import { definedVariables, givenVariables } from '../../bpmn/document/defined-variables.ts'
import { feelOf } from '../../bpmn/expressions/expression.ts'
import { globalNames } from '../../bpmn/expressions/global-names.ts'
import { interpret } from '../../bpmn/expressions/interpret.ts'
import type { CompiledProcess, Finding, FlowCondition } from '../../bpmn/shapes/compiled-process.ts'
import type { ProcessWarning } from './known-names.ts'
import { expressionsOf } from './name-findings.ts'

interface Compiled {
  readonly process: CompiledProcess
  readonly conditions: readonly FlowCondition[]
  readonly loopVariables: readonly string[]
}

const scopeNames = ['record', 'old', 'user', 'task', 'tasks', 'variables', 'loop']

/**
 * The names in expressions that nothing defines. A task that does not exist is a finding; a variable is a warning, because
 * whoever starts the process may give it.
 */
export function variableNames(compiled: Compiled): {
  readonly findings: readonly Finding[]
  readonly warnings: readonly ProcessWarning[]
} {
  const { process } = compiled
  const { calls = {} } = process
  const defined = new Set([...givenVariables, ...compiled.loopVariables, ...definedVariables(process)])
  // What a called process hands over cannot be known.
  const unless = Object.values(calls).some(({ returnsAll }) => returnsAll === true)
    ? ', unless a called process hands it over'
    : ''
  const findings: Finding[] = []
  const warnings = new Map<string, ProcessWarning>()
  const warn = (elementId: string | null, message: string): void =>
    void warnings.set(`${elementId} ${message}`, { elementId, code: 'unknown_variable', message })
  const expressions = [
    ...expressionsOf(compiled),
    ...Object.entries(process.mappings ?? {}).flatMap(([elementId, mapping]) =>
      // The output mapping of a call is about the variables of the called process.
      [...mapping.in, ...(Object.hasOwn(calls, elementId) ? [] : mapping.out)].map(({ value }) => ({
        elementId,
        source: value,
      })),
    ),
  ]
  for (const { elementId, source } of expressions) {
    if (feelOf(source) !== undefined) continue
    for (const name of interpret(source).freeNames) {
      if (defined.has(name) || scopeNames.includes(name) || globalNames.has(name) || name.startsWith('$')) continue
      const advice = didYouMean(name, [...scopeNames, ...defined])
      warn(
        elementId,
        `Nothing here defines ${name}: without a variable of that name the process stops${unless}.${advice}`,
      )
    }
    for (const { variable, name } of memberUses(`return (${source}\n)`)) {
      if (variable === 'tasks' && !Object.hasOwn(process.tasks, name))
        findings.push({
          elementId,
          message: `tasks.${name}: there is no such task.${didYouMean(name, Object.keys(process.tasks))}`,
        })
      // Whoever starts the process may give any other name.
      if (variable === 'variables' && !defined.has(name) && nearestWord(name, [...defined]) !== undefined)
        warn(elementId, `variables.${name}: nothing here defines it${unless}.${didYouMean(name, [...defined])}`)
    }
  }
  for (const [elementId, definition] of Object.entries(process.work)) {
    if (definition.kind !== 'script') continue
    // Scripts of other engines read variables by their bare names.
    const [, read = ''] = /^var \{ ([^}]*) \} = variables; /.exec(definition.script) ?? []
    for (const name of read.split(', ').filter((one) => one !== '' && !defined.has(one)))
      warn(
        elementId,
        `Nothing here defines ${name}: without a variable of that name it is undefined in the script${unless}.`,
      )
    for (const name of freeNames(definition.script)) {
      if (scopeNames.includes(name) || globalNames.has(name) || name.startsWith('$')) continue
      warn(elementId, `Nothing in the script defines ${name}: a variable of the process is variables.${name} there.`)
    }
  }
  return { findings, warnings: [...warnings.values()] }
}
