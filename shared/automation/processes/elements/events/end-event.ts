import { describe } from '../../definition/read/bpmn-element.ts'
import { recordEvent } from '../../engine/tokens/engine-run.ts'
import { endPath } from '../../engine/tokens/leave.ts'
import type { NodeElement } from '../element.ts'

/** Where a token ends. */
export const endEvent: NodeElement = {
  kind: 'event',
  type: 'endEvent',
  line: 'where a branch ends, plainly, with an error, or with everything else (terminate)',
  checkFlows: (node, { from }, { report }) => {
    if (from.has(node)) report(node, `${describe(node)} cannot have outgoing flows.`)
  },
  position: () => ({
    name: 'end',
    needsTrigger: false,
    instead:
      'an end event has no kind, or is an error or terminate event; use a send task before it to send a notification',
  }),
  enter: (run, node, position) => {
    endPath(run, position.in, position.task)
    const end = run.elements.trigger(node.trigger?.on)?.end
    if (end === undefined) recordEvent(run, node.id, position.id, 'completed')
    else end(run, node, position)
  },
}
