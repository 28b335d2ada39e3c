import { conditionProblem, textProblem } from '../../expressions/expression-problems.ts'
import { expressionOf, feelOf, parseExpression } from '../../expressions/expression.ts'
import { type BpmnElement, describe, isA } from '../../shapes/bpmn-element.ts'
import type { Report } from '../../shapes/findings.ts'
import type { CallDefinition, MappedVariable, VariableMapping } from '../../shapes/graph.ts'
import { extensionsOf, textOf } from './extensions.ts'
import { isVariable } from './read-work.ts'

/** What a call activity calls; undefined for other elements, and when it does not say. */
export function readCall(activity: BpmnElement, report: Report): CallDefinition | undefined {
  if (!isA(activity, 'CallActivity')) return undefined
  const isPinned = readVersion(activity, report) === 'pinned'
  const named = readCalled(activity, report)
  const passesAll = readAll(activity, 'In', report)
  const returnsAll = readAll(activity, 'Out', report)
  return (
    named && {
      ...named,
      // The template is looked up when the process is saved.
      ...(isPinned && { pinned: 'unknown' as const }),
      ...(passesAll && { passesAll }),
      ...(returnsAll && { returnsAll }),
    }
  )
}

function readVersion(activity: BpmnElement, report: Report): string | undefined {
  const version = textOf(activity, 'version', report)
  if (version !== undefined && version !== 'latest' && version !== 'pinned')
    report(
      activity,
      `${describe(activity)}: wf:version is "latest" (the version when it is called) or "pinned" (the version when this process was saved), not "${version.slice(0, 80)}".`,
    )
  return version
}

function readCalled(activity: BpmnElement, report: Report): Pick<CallDefinition, 'code' | 'expression'> | undefined {
  const text = typeof activity.calledElement === 'string' ? activity.calledElement.trim() : ''
  if (text === '') {
    report(
      activity,
      `${describe(activity)} needs to say what it calls: write the code of a process template as calledElement.`,
      'incomplete',
    )
    return undefined
  }
  const isFeel = feelOf(text) !== undefined
  const fault = isFeel ? conditionProblem(text) : textProblem(text)
  if (fault !== undefined) {
    report(activity, `the calledElement of ${describe(activity)} cannot be evaluated: ${fault}.`, 'invalid_expression')
    return undefined
  }
  if (isFeel) return { expression: text }
  const parsed = parseExpression(text)
  // A reference of BPMN may have the prefix of a namespace.
  return parsed.kind === 'literal' ? { code: parsed.text.replace(/^[\w.-]+:/, '') } : { expression: parsed.source }
}

function readAll(activity: BpmnElement, type: 'In' | 'Out', report: Report): true | undefined {
  const all = extensionsOf(activity, type).filter((element) => namesAll(activity, element))
  for (const { variables, source, target, value } of all)
    if (variables !== 'all' || source !== undefined || target !== undefined || value !== undefined)
      report(
        activity,
        `${describe(activity)}: a wf:${type.toLowerCase()} has either variables="all", or a target with a source or a value.`,
      )
  return all.length > 0 ? true : undefined
}

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
const namesAll = (activity: BpmnElement, { variables }: BpmnElement): boolean =>
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
