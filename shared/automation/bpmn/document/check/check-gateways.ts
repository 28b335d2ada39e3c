import type { Check } from '../../elements/element.ts'
import { elements } from '../../elements/registry.ts'
import { isJavaScript } from '../../expressions/expression.ts'
import { type BpmnElement, describe, isA } from '../../shapes/bpmn-element.ts'
import { linksOf, type Scope } from '../../shapes/scopes.ts'

/** Checks that gateways and flows say which way a token takes. */
export function checkGateways(scope: Scope, check: Check): void {
  const { report } = check
  const links = linksOf(scope)
  for (const flow of scope.flows) checkCondition(flow, check)
  for (const node of scope.nodes) {
    elements.nodeOf(node)?.checkChoice?.(node, links, check)
    const usual = node.default
    if (usual !== undefined && isA(usual, 'SequenceFlow') && links.from.get(node)?.includes(usual) !== true)
      report(node, `${describe(node)} has ${describe(usual)} as its default, which does not leave it.`)
  }
}

function checkCondition(flow: BpmnElement, { report, conditionProblem, expressionKind }: Check): void {
  const { conditionExpression: condition } = flow
  if (condition === undefined) return
  const { language } = condition
  if (language !== undefined && !isJavaScript(language))
    report(flow, `${describe(flow)} has a condition in "${language}"; conditions are JavaScript or FEEL.`)
  const fault = conditionProblem(condition.body)
  if (fault !== undefined)
    report(
      flow,
      `the condition of ${describe(flow)} is not ${expressionKind(condition.body)}: ${fault}.`,
      'invalid_expression',
    )
}
