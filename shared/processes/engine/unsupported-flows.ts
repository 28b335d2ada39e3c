import type { Finding } from '../definition/compiled-process.ts'
import { finding, flowsOf, labelOf, type Element, type Scope } from './moddle-elements.ts'

const mayChoose = /^bpmn:(?:ExclusiveGateway|InclusiveGateway|.*Task|SubProcess)$/
const scriptLanguage = /^(?:.*\/)?(?:java|ecma)script$|^js$/i

/** Conditions where BPMN knows none, in other languages, or empty. */
export function findInFlows(scope: Scope): Finding[] {
  return flowsOf(scope).flatMap(findInFlow)
}

function findInFlow(flow: Element): Finding[] {
  const { conditionExpression: condition, sourceRef: source } = flow
  if (condition === undefined || source === undefined) return []
  const found: Finding[] = []
  if (!mayChoose.test(source.$type)) found.push(finding(flow, `has a condition, but leaves ${labelOf(source)}, which takes all of its flows: put an exclusive or inclusive gateway in between.`))
  if (source.default === flow) found.push(finding(flow, 'is the default flow, so it cannot have a condition.'))
  if (condition.resource !== undefined || (condition.body ?? '').trim() === '') found.push(finding(flow, 'has a condition without an expression.'))
  if (condition.language !== undefined && !scriptLanguage.test(condition.language)) found.push(finding(flow, `has a condition in '${condition.language}'; only JavaScript is supported.`))
  return found
}
