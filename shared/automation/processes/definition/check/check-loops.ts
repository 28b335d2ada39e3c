import type { Check } from '../../elements/element.ts'
import { standardLoop } from '../../elements/loops/standard-loop.ts'
import { elements } from '../../elements/registry.ts'
import { describe, typeOf } from '../read/bpmn-element.ts'
import type { Scope } from '../scopes.ts'

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
