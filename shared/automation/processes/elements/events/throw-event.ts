import { passThrough } from '../../engine/tokens/leave.ts'
import type { NodeElement } from '../element.ts'

/** An event that a token passes, or the start of a link. */
export const throwEvent: NodeElement = {
  kind: 'event',
  type: 'intermediateThrowEvent',
  line: 'a milestone that a token passes, or the start of a link',
  position: () => ({
    name: 'throw',
    needsTrigger: false,
    instead: 'a throw event has no kind, or is the start of a link; use a send task to send a notification',
  }),
  enter: (run, node, position) => (run.elements.trigger(node.trigger?.on)?.throw ?? passThrough)(run, node, position),
}
