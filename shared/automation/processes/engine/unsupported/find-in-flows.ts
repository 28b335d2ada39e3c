import type { Finding } from '../../definition/compiled-process.ts'
import { type BpmnElement, typeOf } from '../../definition/read/bpmn-element.ts'
import { elements } from '../../elements/registry.ts'
import { finding, flowsOf, labelOf, type Surroundings } from '../model/moddle-elements.ts'

const scriptLanguage = /^(?:.*\/)?(?:java|ecma)script$|^js$/i

/** Conditions that are empty, not JavaScript, or on a flow that cannot have one. */
export function findInFlows(surroundings: Surroundings): Finding[] {
  return flowsOf(surroundings).flatMap(findInFlow)
}

function findInFlow(flow: BpmnElement): Finding[] {
  const { conditionExpression: condition, sourceRef: source } = flow
  if (condition === undefined || source === undefined) return []
  const { language, body = '', resource } = condition
  const found: Finding[] = []
  const refuse = (what: string): unknown => found.push(finding(flow, what))
  if (elements.node(typeOf(source))?.mayChoose !== true)
    refuse(
      `has a condition, but leaves ${labelOf(source)}, which takes all of its flows: put an exclusive or inclusive gateway in between.`,
    )
  if (source.default === flow) refuse('is the default flow, so it cannot have a condition.')
  if (resource !== undefined || body.trim() === '') refuse('has a condition without an expression.')
  if (language !== undefined && !scriptLanguage.test(language))
    refuse(`has a condition in '${language}'; only JavaScript and FEEL are supported.`)
  return found
}
