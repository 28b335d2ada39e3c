import { type BpmnElement, describe, isA } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'
import { finding, flowsOf, labelOf, type Surroundings } from '../../shapes/moddle-elements.ts'
import type { Links } from '../../shapes/scopes.ts'
import type { Check, Elements, NodeElement } from '../element.ts'

/** Waits for all of its events; the first that occurs continues and cancels the others. */
export const eventBasedGateway: NodeElement = {
  kind: 'gateway',
  type: 'eventBasedGateway',
  line: 'takes the flow whose event or receive task comes first',
  checkChoice,
  unsupported: findUnsupported,
  enter: (run, { outgoing }, position) => {
    run.tokens.set(position.id, { is: 'gate', ...position })
    for (const { target } of outgoing)
      run.moves.push({ do: 'enter', node: target, in: position.in, gate: position.id, task: position.task })
  },
}

function checkChoice(gateway: BpmnElement, { from, to }: Links, { report, elements }: Check): void {
  const outgoing = from.get(gateway) ?? []
  // BPMN asks for two; with one, it waits for that event.
  if (outgoing.length === 0) report(gateway, `${describe(gateway)} needs flows to the events that it waits for.`)
  for (const flow of outgoing) {
    const target = flow.targetRef
    if (flow.conditionExpression !== undefined)
      report(flow, `${describe(flow)} leaves an event-based gateway and cannot have a condition.`)
    if (target === undefined || !isA(target, 'FlowNode')) continue
    if (elements.nodeOf(target)?.isAwaitable !== true) {
      report(
        gateway,
        `${describe(gateway)} may lead to intermediate catch events and receive tasks only, not to ${describe(target)}.`,
      )
    } else if ((to.get(target)?.length ?? 0) > 1) {
      report(target, `${describe(target)} follows an event-based gateway and cannot have other incoming flows.`)
    }
  }
}

/** A gateway that starts the process with the first of its events. */
function findInInstantiation(
  gateway: BpmnElement,
  targets: readonly BpmnElement[],
  surroundings: Surroundings,
  elements: Elements,
): Finding[] {
  const found: Finding[] = []
  const refuse = (what: string): unknown => found.push(finding(gateway, `starts the process (instantiate), ${what}`))
  if (!isA(surroundings.owner, 'Process')) refuse('so it cannot be in a sub-process.')
  if (flowsOf(surroundings).some((flow) => flow.targetRef === gateway))
    refuse('so no flow can lead to it: leave out the flow, or instantiate.')
  for (const target of targets) {
    const triggers = (target.eventDefinitions ?? []).map((definition) => elements.triggerOf(definition)?.on)
    const isReceived = isA(target, 'ReceiveTask')
      ? target.messageRef !== undefined
      : triggers.length > 0 && triggers.every((on) => on === 'message' || on === 'signal')
    if (!isReceived) refuse(`so ${labelOf(target)} must wait for a message or a signal.`)
  }
  return found
}

function findUnsupported(gateway: BpmnElement, surroundings: Surroundings, elements: Elements): Finding[] {
  const targets = flowsOf(surroundings).flatMap((flow) =>
    flow.sourceRef === gateway && flow.targetRef !== undefined ? [flow.targetRef] : [],
  )
  const follows = `follows the event-based gateway ${labelOf(gateway)}`
  const found: Finding[] = []
  if (gateway.instantiate === true) found.push(...findInInstantiation(gateway, targets, surroundings, elements))
  if (gateway.eventGatewayType === 'Parallel')
    found.push(
      finding(
        gateway,
        'waits for all of its events, which is not supported: use a parallel gateway, and let a catch event follow each of its flows.',
      ),
    )
  for (const target of targets) {
    const isAwaitable =
      elements.nodeOf(target)?.isAwaitable === true && elements.triggerOf(target.eventDefinitions?.[0])?.isJump !== true
    if (!isAwaitable)
      found.push(
        finding(target, `${follows}, so it must be a catch event that waits for something, or a receive task.`),
      )
    if (target.loopCharacteristics !== undefined)
      found.push(finding(target, `${follows}, so it cannot run several times.`))
  }
  for (const event of surroundings.elements) {
    if (event.attachedToRef === undefined || !targets.includes(event.attachedToRef)) continue
    found.push(
      finding(event, `is attached to a task that ${follows}, which is not supported: let an event follow the gateway.`),
    )
  }
  return found
}
