import { conditionProblem, expressionKind } from '../../expressions/expression-problems.ts'
import { expressionOf } from '../../expressions/expression.ts'
import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import { type CompletionRule, type FieldCondition, fieldOperators } from '../../shapes/compiled-process.ts'
import type { Report } from '../../shapes/findings.ts'
import { extensionsOf, fieldName, freeAttribute, readFreeAttribute } from './extensions.ts'

/** The completion rules of a task: one for all free attributes together, one for each `wf:completeOn`. */
export function readCompletion(
  task: BpmnElement,
  outcomes: readonly string[],
  report: Report,
): readonly CompletionRule[] {
  const free = readFreeAttributes(task, report)
  const elements = extensionsOf(task, 'CompleteOn').map((element) => readRule(task, element, outcomes, report))
  return free.length === 0 ? elements : [{ match: 'all', conditions: free, groups: [] }, ...elements]
}

function readFreeAttributes(task: BpmnElement, report: Report): readonly FieldCondition[] {
  return Object.entries(task.$attrs).flatMap(([attribute, text]): FieldCondition[] => {
    const name = freeAttribute(attribute)
    if (name === undefined) return []
    const field = fieldName(name)
    const condition =
      field === undefined ? 'its name does not end in the name of a field' : readFreeAttribute(field, text)
    if (typeof condition !== 'string') return [condition]
    report(task, `${describe(task)}: ${attribute}="${text}" cannot be understood: ${condition}.`)
    return []
  })
}

function readRule(
  task: BpmnElement,
  element: BpmnElement,
  outcomes: readonly string[],
  report: Report,
): CompletionRule {
  const at = `${describe(task)}: a wf:completeOn`
  const conditions = readConditions(task, element, report)
  const groups = ((element.groups ?? []) as readonly BpmnElement[]).map((group) => {
    const made = { match: readMatch(task, group, report), conditions: readConditions(task, group, report) }
    if (made.conditions.length === 0) report(task, `${at} has a wf:conditionGroup without any wf:fieldCondition.`)
    return made
  })
  const outcome = typeof element.outcome === 'string' ? element.outcome.trim() : undefined
  if (outcome === '') report(task, `${at} has an empty outcome; leave it out or name one.`)
  else if (outcome !== undefined && outcomes.length > 0 && !outcomes.includes(outcome)) {
    report(task, `${at} has the outcome "${outcome}", which is none of the task's: ${outcomes.join(', ')}.`)
  }
  const expression = readExpression(task, element, report)
  if (conditions.length === 0 && groups.length === 0 && element.expression === undefined)
    report(task, `${at} has no condition: it would never complete the task.`)
  return {
    match: readMatch(task, element, report),
    ...(outcome === undefined ? {} : { outcome }),
    conditions,
    groups,
    ...(expression === undefined ? {} : { expression }),
  }
}

function readExpression(task: BpmnElement, { expression }: BpmnElement, report: Report): string | undefined {
  if (expression === undefined) return undefined
  const text = (expression as BpmnElement).body ?? ''
  const fault = conditionProblem(text)
  if (fault !== undefined)
    report(
      task,
      `${describe(task)}: the wf:expression of a wf:completeOn is not ${expressionKind(text)}: ${fault}.`,
      'invalid_expression',
    )
  return expressionOf(text)
}

function readMatch(task: BpmnElement, { match }: BpmnElement, report: Report): 'all' | 'any' {
  if (match === 'all' || match === 'any') return match
  report(task, `${describe(task)}: match is "all" or "any", not "${String(match)}".`)
  return 'all'
}

const withoutValue = new Set<FieldCondition['op']>(['empty', 'notEmpty', 'changes'])
const withList = new Set<FieldCondition['op']>(['in', 'notIn', 'changesTo', 'changesFrom'])

function readConditions(task: BpmnElement, holder: BpmnElement, report: Report): readonly FieldCondition[] {
  return ((holder.conditions ?? []) as readonly BpmnElement[]).flatMap((element): FieldCondition[] => {
    const { field: written, value } = element as { field?: string; value?: string }
    const field = fieldName(written)
    const op = fieldOperators.find((known) => known === element.op)
    const at = `${describe(task)}: the wf:fieldCondition of "${written ?? ''}"`
    if (field === undefined)
      report(task, `${describe(task)}: a wf:fieldCondition needs the name of a field, not "${written ?? ''}".`)
    if (op === undefined)
      report(task, `${at} has the unknown op "${String(element.op)}"; there are ${fieldOperators.join(', ')}.`)
    if (field === undefined || op === undefined) return []
    if (withoutValue.has(op)) {
      if (value !== undefined)
        report(task, `${at} has a value, but ${op} takes none${op === 'changes' ? '; changesTo does' : ''}.`)
      return [{ field, op, values: [] }]
    }
    const values =
      value === undefined ? [] : withList.has(op) ? value.split(',').map((item) => item.trim()) : [value.trim()]
    // Only eq and ne may have an empty value.
    if (values.length === 0 || (values.includes('') && op !== 'eq' && op !== 'ne'))
      report(task, `${at} needs a value for ${op}.`)
    return [{ field, op, values }]
  })
}
