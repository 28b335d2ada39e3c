import { startBoundaryEvents } from '../../engine/tokens/boundary-events.ts'
import { openScope } from '../../engine/tokens/open-scope.ts'
import { type BpmnElement, describe } from '../../shapes/bpmn-element.ts'
import type { Finding } from '../../shapes/compiled-process.ts'
import { finding, type Surroundings } from '../../shapes/moddle-elements.ts'
import { isEventSubProcess } from '../../shapes/scopes.ts'
import type { NodeElement } from '../element.ts'

/** A sub-process, drawn in the flow or started by an event. */
export const subProcess: NodeElement = {
  kind: 'activity',
  type: 'subProcess',
  line: 'runs what is drawn in it; with `triggeredByEvent`, when its event occurs',
  holds: ['In', 'Out'],
  mayChoose: true,
  isReachedWithoutFlow: isEventSubProcess,
  checkFlows: (node, { from, to }, { report }) => {
    if (isEventSubProcess(node) && (from.has(node) || to.has(node)))
      report(node, `${describe(node)} is triggered by an event and cannot have flows to or from it.`)
  },
  unsupported: (node, surroundings) => (node.triggeredByEvent === true ? findInHandler(node, surroundings) : []),
  enter: async (run, node, position) => {
    run.tokens.set(position.id, { is: 'scope', ...position })
    await startBoundaryEvents(run, position.id)
    await openScope(run, node.id, position.id)
  },
}

/** What is wrong with an event sub-process, apart from the trigger of its start event. */
function findInHandler(body: BpmnElement, surroundings: Surroundings): Finding[] {
  const found: Finding[] = []
  const starts = (body.flowElements ?? []).filter((element) => element.$type === 'bpmn:StartEvent')
  if (starts.length === 0)
    found.push(finding(body, 'is an event sub-process without a start event, so nothing ever starts it.'))
  for (const event of surroundings.elements.filter((element) => element.attachedToRef === body)) {
    found.push(
      finding(
        event,
        'is attached to an event sub-process, which is not supported: attach it to the sub-process around it.',
      ),
    )
  }
  return found
}
