import { type BpmnElement, describe, isA } from '../read/bpmn-element.ts'
import { isVariable } from '../read/read-work.ts'
import type { Scope } from '../scopes.ts'
import { conditionProblem } from './expression-problems.ts'
import type { Report } from './findings.ts'

/** Checks that repeated activities say how often they run. */
export function checkLoops({ nodes }: Scope, report: Report): void {
  for (const node of nodes) {
    const loop = node.loopCharacteristics
    if (loop === undefined) continue
    if (isA(loop, 'MultiInstanceLoopCharacteristics')) checkMultiInstance(node, loop, report)
    else if (loop.loopCondition === undefined && loop.loopMaximum === undefined) {
      report(node, `${describe(node)} repeats without end; give its loop a loopCondition or a loopMaximum.`)
    } else if (loop.loopMaximum !== undefined && !isCount(loop.loopMaximum)) {
      report(node, `the loopMaximum of ${describe(node)} must be a whole number from 1.`)
    }
    for (const property of ['loopCardinality', 'completionCondition', 'loopCondition'] as const) {
      const fault = loop[property] === undefined ? undefined : conditionProblem(loop[property].body)
      if (fault !== undefined)
        report(node, `the ${property} of ${describe(node)} is not a JavaScript expression: ${fault}.`)
    }
  }
}

/** The reader of BPMN makes numbers of it, and NaN of what is none. */
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1

function checkMultiInstance(node: BpmnElement, loop: BpmnElement, report: Report): void {
  const collection = loop.collection as string | undefined
  const variable = loop.elementVariable as string | undefined
  if (collection === undefined && loop.loopCardinality === undefined) {
    report(
      node,
      `${describe(node)} is to run several times; give it a wf:collection (like \${variables.approvers}) or a loopCardinality.`,
    )
  }
  const fault = collection === undefined ? undefined : conditionProblem(collection)
  if (fault !== undefined)
    report(node, `the wf:collection of ${describe(node)} is not a JavaScript expression: ${fault}.`)
  if (variable !== undefined && !isVariable(variable))
    report(node, `${describe(node)}: wf:elementVariable="${variable}" is no name for a variable.`)
}
