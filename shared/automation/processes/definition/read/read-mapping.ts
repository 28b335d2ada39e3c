import type { MappedVariable, VariableMapping } from '../../engine/model/graph.ts'
import { conditionProblem, textProblem } from '../check/expression-problems.ts'
import type { Report } from '../check/findings.ts'
import { expressionOf, parseExpression } from '../expression.ts'
import { type BpmnElement, describe, isA } from './bpmn-element.ts'
import { extensionsOf } from './extensions.ts'
import { isVariable } from './read-work.ts'

/** The `wf:in` and `wf:out` of an activity; undefined when it has none. */
export function readMapping(activity: BpmnElement, report: Report): VariableMapping | undefined {
  const read = (type: 'In' | 'Out') =>
    extensionsOf(activity, type).flatMap((element) =>
      namesAll(activity, element) ? [] : readMapped(activity, element, `wf:${type.toLowerCase()}`, report),
    )
  const mapping = { in: read('In'), out: read('Out') }
  return mapping.in.length + mapping.out.length === 0 ? undefined : mapping
}

/** A call activity may pass on all variables: `readCall` reads that. */
export const namesAll = (activity: BpmnElement, { variables }: BpmnElement): boolean =>
  variables !== undefined && isA(activity, 'CallActivity')

/** `source`: the name of a variable, or an expression. `value`, or the text inside: a text with expressions. */
function readMapped(activity: BpmnElement, element: BpmnElement, tag: string, report: Report): MappedVariable[] {
  const { target = '', source, value = element.body } = element as Partial<Record<string, string>>
  const at = `${describe(activity)}: the ${tag} of "${target}"`
  if (!isVariable(target)) {
    report(activity, `${describe(activity)}: a ${tag} needs a target that is a name for a variable, not "${target}".`)
    return []
  }
  if ((source === undefined) === (value === undefined)) {
    report(activity, `${at} needs either a source (a variable, or an expression) or a value (a text).`)
    return []
  }
  const fault = source === undefined ? textProblem(value ?? '') : conditionProblem(source)
  if (fault !== undefined) {
    report(activity, `${at} cannot be evaluated: ${fault}.`)
    return []
  }
  if (source !== undefined)
    return [{ target, value: isVariable(source.trim()) ? `variables.${source.trim()}` : expressionOf(source) }]
  const parsed = parseExpression(value ?? '')
  return [{ target, value: parsed.kind === 'literal' ? JSON.stringify(parsed.text) : parsed.source }]
}
