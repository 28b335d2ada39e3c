import type { Check } from '../../elements/element.ts'
import { standardLoop } from '../../elements/loops/standard-loop.ts'
import { elements, insteadOf } from '../../elements/registry.ts'
import { describe, isA, typeOf } from '../../shapes/bpmn-element.ts'
import { associatedActivity, linksOf, type Scope } from '../../shapes/scopes.ts'

/** Reports elements of types that are not supported. */
export function checkElementTypes({ nodes }: Scope, { report }: Check): void {
  for (const node of nodes) {
    const instead = insteadOf(typeOf(node))
    if (instead !== undefined) report(node, `${describe(node)} is of a type that is not supported: ${instead}.`)
    if (node.loopCharacteristics !== undefined && insteadOf(typeOf(node.loopCharacteristics)) !== undefined)
      report(node, `${describe(node)} repeats in a way that is not supported.`)
    for (const definition of node.eventDefinitions ?? []) {
      const way = insteadOf(typeOf(definition))
      if (way !== undefined) report(node, `${describe(node)} is an event of a type that is not supported: ${way}.`)
    }
  }
}

/** Checks that events say what they wait for, and timers when they are due. */
export function checkEvents(scope: Scope, check: Check): void {
  const { report } = check
  for (const node of scope.nodes) {
    const definitions = node.eventDefinitions ?? []
    const problems = isA(node, 'ThrowEvent')
      ? definitions.map((definition) => elements.triggerOf(definition)?.throwProblem?.(node, definition, scope))
      : []
    const problem = problems.find((text) => text !== undefined)
    if (problem !== undefined) report(node, problem)
    if (definitions.length === 0) elements.nodeOf(node)?.checkBare?.(node, check)
    if (node.eventDefinitionRef?.length)
      report(node, `${describe(node)}: an event definition must be inside the event, not referred to.`)
    for (const definition of definitions) elements.triggerOf(definition)?.check?.(node, definition, check)
  }
}

/** Checks that repeated activities say how often they run. */
export function checkLoops({ nodes }: Scope, check: Check): void {
  const { report, conditionProblem, expressionKind } = check
  for (const node of nodes) {
    const loop = node.loopCharacteristics
    if (loop === undefined) continue
    const element = elements.loopOf(typeOf(loop)) ?? standardLoop
    element.check(node, loop, check)
    for (const property of ['loopCardinality', 'completionCondition', 'loopCondition'] as const) {
      const fault = loop[property] === undefined ? undefined : conditionProblem(loop[property].body)
      if (fault !== undefined)
        report(
          node,
          `the ${property} of ${describe(node)} is not ${expressionKind(loop[property]?.body)}: ${fault}.`,
          'invalid_expression',
        )
    }
  }
}

/** Checks that activities for compensation are reached by the event that they belong to, and by nothing else. */
export function checkCompensation(scope: Scope, { report }: Check): void {
  const handlers = scope.nodes.filter(({ isForCompensation }) => isForCompensation === true)
  if (handlers.length === 0) return
  const { from, to } = linksOf(scope)
  const associated = new Set(
    scope.nodes.flatMap((node) => (node.attachedToRef === undefined ? [] : (associatedActivity(node) ?? []))),
  )
  for (const handler of handlers) {
    if (from.has(handler) || to.has(handler))
      report(handler, `${describe(handler)} is for compensation, so no flow can lead to it or leave it.`)
    else if (!associated.has(handler))
      report(
        handler,
        `${describe(handler)} is for compensation, but no compensation event on the border of an activity is associated with it.`,
        'incomplete',
      )
  }
}
