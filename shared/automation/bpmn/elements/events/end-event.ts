import { throwTriggers } from '../../engine/events/throw-triggers.ts'
import { recordEvent } from '../../engine/tokens/engine-run.ts'
import { endPath } from '../../engine/tokens/leave.ts'
import { describe } from '../../shapes/bpmn-element.ts'
import type { NodeElement } from '../element.ts'

/** Where a token ends. */
export const endEvent: NodeElement = {
  kind: 'event',
  type: 'endEvent',
  line: 'where a branch ends: plainly, with a message, a signal, an escalation, an error, a compensation or the cancel of a transaction, or with everything else (terminate)',
  holds: ['In'],
  checkFlows: (node, { from }, { report }) => {
    if (from.has(node)) report(node, `${describe(node)} cannot have outgoing flows.`)
  },
  position: () => ({
    name: 'end',
    needsTrigger: false,
    instead:
      'an end event has no kind, or is a message, signal, escalation, error, compensation, cancel or terminate event; use a send task before it to send a notification',
  }),
  enter: async (run, node, position) => {
    endPath(run, position.in, position.task)
    if ((await throwTriggers(run, node, position)) === 'gone') return
    const end = node.triggers.map(({ on }) => run.elements.trigger(on)?.end).find((one) => one !== undefined)
    if (end === undefined) recordEvent(run, node.id, position.id, 'completed')
    else end(run, node, position)
  },
}
