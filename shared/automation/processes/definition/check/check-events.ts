import type { Check } from '../../elements/element.ts'
import { elements } from '../../elements/registry.ts'
import { describe, isA } from '../read/bpmn-element.ts'
import type { Scope } from '../scopes.ts'

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
