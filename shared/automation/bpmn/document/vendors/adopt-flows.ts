import { type BpmnElement, describe, isA, type ModdleContext, sentence, visibleId } from '../../shapes/bpmn-element.ts'
import { linksOf, type Scope } from '../../shapes/scopes.ts'
import { unreachedNodes } from '../check/check-structure.ts'
import { type VendorWarning, vendorsOf } from './vendor-words.ts'

/**
 * Leaves out, in a document of another engine, what never runs there: what no flow leads to, and flows out of activities for
 * compensation. Empty: there is none.
 */
export function leaveOutUnreached(moddle: ModdleContext, scopes: readonly Scope[]): readonly VendorWarning[] {
  if (vendorsOf(moddle.rootElement).size === 0) return []
  const warnings: VendorWarning[] = []
  const left = new Set<BpmnElement>()
  const leaveOut = (element: BpmnElement, why: string): void => {
    left.add(element)
    warnings.push({ elementId: visibleId(element), message: sentence(`${describe(element)} is left out: ${why}.`) })
  }
  for (const scope of scopes) {
    for (const flow of scope.flows)
      if (flow.sourceRef?.isForCompensation === true)
        leaveOut(flow, `${describe(flow.sourceRef)} is for compensation, after which nothing continues`)
    const unreached = unreachedNodes({ ...scope, flows: scope.flows.filter((flow) => !left.has(flow)) })
    for (const node of unreached) leaveOut(node, 'no flow leads to it from the start')
    const isLeft = (element: BpmnElement | undefined): boolean => element !== undefined && left.has(element)
    for (const node of scope.nodes) if (isLeft(node.attachedToRef)) left.add(node)
    for (const flow of scope.flows) if (isLeft(flow.sourceRef) || isLeft(flow.targetRef)) left.add(flow)
  }
  if (left.size === 0) return []
  for (const { owner } of scopes) owner.flowElements = owner.flowElements?.filter((element) => !left.has(element))
  moddle.references = moddle.references.filter(({ element }) => !isWithin(element, left))
  return warnings
}

function isWithin(element: BpmnElement, left: ReadonlySet<BpmnElement>): boolean {
  for (let at: BpmnElement | undefined = element; at !== undefined; at = at.$parent) if (left.has(at)) return true
  return false
}

/**
 * Camunda 7 and Flowable take the only flow without a condition out of an exclusive gateway as its default, and one out of
 * an inclusive gateway always, and so they are read.
 */
export function assumeDefaults(moddle: ModdleContext, scope: Scope): readonly VendorWarning[] {
  const { from } = linksOf(scope)
  return scope.nodes.flatMap((gateway) => {
    const outgoing = from.get(gateway) ?? []
    const conditional = outgoing.filter(({ conditionExpression }) => conditionExpression !== undefined)
    const [open, ...more] = outgoing.filter((flow) => flow !== gateway.default && !conditional.includes(flow))
    // Without any condition it was not said yet what it chooses by.
    if (isA(gateway, 'InclusiveGateway') && open !== undefined && conditional.length > 0)
      return [open, ...more].map((flow) => alwaysTake(flow, gateway))
    if (!isA(gateway, 'ExclusiveGateway') || gateway.default !== undefined) return []
    if (outgoing.length < 2 || open?.id === undefined || more.length > 0) return []
    gateway.set?.('default', open)
    moddle.references = [...moddle.references, { element: gateway, property: 'bpmn:default', id: open.id }]
    const message = sentence(
      `${describe(open)} has no condition, so it is read as the default flow of ${describe(gateway)}.`,
    )
    return [{ elementId: visibleId(open), message }]
  })
}

function alwaysTake(flow: BpmnElement, gateway: BpmnElement): VendorWarning {
  flow.conditionExpression = flow.$model?.create('bpmn:FormalExpression', { body: '${true}' })
  const message = sentence(`${describe(flow)} has no condition, so ${describe(gateway)} always takes it.`)
  return { elementId: visibleId(flow), message }
}
