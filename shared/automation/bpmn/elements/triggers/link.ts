import { nextId, recordEvent, StepFailure, type EngineRun, type TokenPosition } from '../../engine/tokens/engine-run.ts'
import { passThrough } from '../../engine/tokens/leave.ts'
import { type BpmnElement, describe, isA } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'
import type { FlowNode, Trigger } from '../../shapes/graph.ts'
import { finding, flowsOf, type Surroundings } from '../../shapes/moddle-elements.ts'
import type { Scope } from '../../shapes/scopes.ts'
import type { EventPosition, TriggerElement } from '../element.ts'

/** Leads from a throw event to the catch event of the same name, without a flow. */
export const link: TriggerElement = {
  type: 'linkEventDefinition',
  on: 'link',
  line: 'leads from a throw event to the catch event of the same name',
  positions: ['catch', 'throw'],
  read: ({ name }) => ({ on: 'link', name: String(name) }),
  throwProblem,
  unsupported: findUnsupported,
  isJump: true,
  leadsTo: targetOf,
  throw: jump,
}

export const isLink = (definition: BpmnElement): boolean => isA(definition, 'LinkEventDefinition')

function throwProblem(event: BpmnElement, { name = '' }: BpmnElement, { nodes }: Scope): string | undefined {
  const isLanding = nodes.some(
    (node) =>
      isA(node, 'IntermediateCatchEvent') &&
      node.eventDefinitions?.some((definition) => isLink(definition) && (definition.name ?? '') === name),
  )
  return isLanding ? undefined : `${describe(event)} is a link "${name}" to no intermediate catch event of that name.`
}

/** A link leads to exactly one catch event, in the same process or sub-process. */
function findUnsupported(
  event: BpmnElement,
  { name }: BpmnElement,
  position: EventPosition,
  surroundings: Surroundings,
): Finding[] {
  const ends = surroundings.elements.filter(
    ({ $type, eventDefinitions: [first] = [] }) =>
      $type === 'bpmn:IntermediateCatchEvent' && first !== undefined && isLink(first) && first.name === name,
  )
  const found: Finding[] = []
  const refuse = (what: string): unknown => found.push(finding(event, what))
  if (position.name === 'catch') {
    if (ends[0] !== event) refuse(`is the second end of the link '${name}': a link leads to one place.`)
    if (flowsOf(surroundings).some((flow) => flow.targetRef === event))
      refuse('is the end of a link, so no flow can lead to it.')
  } else {
    if (ends.length === 0)
      refuse(`links to '${name}', but there is no catch event with this link name in the same process or sub-process.`)
    if (flowsOf(surroundings).some((flow) => flow.sourceRef === event))
      refuse('is the start of a link, so no flow can leave it.')
  }
  return found
}

/** The catch event that a throw event leads to. */
function targetOf(run: EngineRun, node: FlowNode): FlowNode | undefined {
  const { trigger, parentId } = node
  if (trigger?.on !== 'link') return undefined
  return run.graph.nodes
    .values()
    .find(
      (each) =>
        each !== node &&
        each.type === 'intermediateCatchEvent' &&
        each.parentId === parentId &&
        each.trigger?.on === 'link' &&
        each.trigger.name === trigger.name,
    )
}

async function jump(run: EngineRun, node: FlowNode, _: Trigger, position: TokenPosition): Promise<'gone'> {
  const target = targetOf(run, node)
  if (target === undefined) throw new StepFailure(node.id, `The link of ${node.label} leads nowhere.`)
  recordEvent(run, node.id, position.id, 'completed')
  const id = nextId(run, target)
  recordEvent(run, target.id, id, 'entered')
  await passThrough(run, target, { ...position, id, at: target.id })
  return 'gone'
}
