import { type BpmnElement, describe, isA } from '../read/bpmn-element.ts'
import { linksOf, type Scope } from '../scopes.ts'
import { conditionProblem } from './expression-problems.ts'
import type { Report } from './findings.ts'

/** Checks that gateways and flows say which way a token takes. */
export function checkGateways(scope: Scope, report: Report): void {
  const { from, to } = linksOf(scope)
  for (const flow of scope.flows) checkCondition(flow, report)
  for (const node of scope.nodes) {
    const outgoing = from.get(node) ?? []
    if (isA(node, 'ExclusiveGateway', 'InclusiveGateway')) checkSplit(node, outgoing, report)
    if (isA(node, 'EventBasedGateway')) checkEventGateway(node, outgoing, to, report)
    if (node.default !== undefined && isA(node.default, 'SequenceFlow') && !outgoing.includes(node.default)) {
      report(node, `${describe(node)} has ${describe(node.default)} as its default, which does not leave it.`)
    }
  }
}

/** The names of JavaScript that a document may use. */
export const isJavaScript = (language: string): boolean =>
  /^(?:(?:application|text)\/)?(?:x-)?(?:javascript|ecmascript|js)$/i.test(language.trim())

function checkCondition(flow: BpmnElement, report: Report): void {
  const { conditionExpression: condition } = flow
  if (condition === undefined) return
  const { language } = condition
  if (language !== undefined && !isJavaScript(language))
    report(flow, `${describe(flow)} has a condition in "${language}"; conditions are JavaScript.`)
  const fault = conditionProblem(condition.body)
  if (fault !== undefined) report(flow, `the condition of ${describe(flow)} is not a JavaScript expression: ${fault}.`)
}

function checkSplit(gateway: BpmnElement, outgoing: readonly BpmnElement[], report: Report): void {
  if (outgoing.length < 2) return
  const open = outgoing.filter((flow) => flow !== gateway.default && flow.conditionExpression === undefined)
  if (open.length === 0) return
  const flows = open.map(describe).join(', ')
  report(
    gateway,
    `${describe(gateway)} parts into several flows, so each but the default needs a condition; without one: ${flows}.`,
  )
}

function checkEventGateway(
  gateway: BpmnElement,
  outgoing: readonly BpmnElement[],
  to: ReadonlyMap<BpmnElement, readonly BpmnElement[]>,
  report: Report,
): void {
  if (outgoing.length < 2) report(gateway, `${describe(gateway)} needs at least two flows to choose from.`)
  for (const flow of outgoing) {
    const target = flow.targetRef
    if (flow.conditionExpression !== undefined)
      report(flow, `${describe(flow)} leaves an event-based gateway and cannot have a condition.`)
    if (target === undefined || !isA(target, 'FlowNode')) continue
    if (!isA(target, 'IntermediateCatchEvent', 'ReceiveTask')) {
      report(
        gateway,
        `${describe(gateway)} may lead to intermediate catch events and receive tasks only, not to ${describe(target)}.`,
      )
    } else if ((to.get(target)?.length ?? 0) > 1) {
      report(target, `${describe(target)} follows an event-based gateway and cannot have other incoming flows.`)
    }
  }
}
