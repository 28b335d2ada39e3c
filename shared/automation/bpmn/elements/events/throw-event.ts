import { throwTriggers } from '../../engine/events/throw-triggers.ts'
import { passThrough } from '../../engine/tokens/leave.ts'
import type { NodeElement } from '../element.ts'

/** An event that a token passes, or the start of a link. */
export const throwEvent: NodeElement = {
  kind: 'event',
  type: 'intermediateThrowEvent',
  line: 'a milestone that a token passes, or sends a message or a signal, escalates, compensates, or is the start of a link',
  holds: ['In'],
  mayChoose: true,
  position: () => ({
    name: 'throw',
    needsTrigger: false,
    instead:
      'a throw event has no kind, is a message, signal, escalation or compensation event, or is the start of a link; use a send task to send a notification',
  }),
  enter: async (run, node, position) => {
    if ((await throwTriggers(run, node, position)) !== 'gone') await passThrough(run, node, position)
  },
}
