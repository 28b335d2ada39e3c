import { awaitEvent } from '../../engine/tokens/await-event.ts'
import { describe } from '../../shapes/bpmn-element.ts'
import type { NodeElement } from '../element.ts'
import { isLink } from '../triggers/link.ts'

/** An event that waits in the flow, or is the end of a link. */
export const catchEvent: NodeElement = {
  kind: 'event',
  type: 'intermediateCatchEvent',
  line: 'waits for a timer, a message, a signal or a condition, or is the end of a link',
  holds: ['Out'],
  isAwaitable: true,
  mayChoose: true,
  isReachedWithoutFlow: ({ eventDefinitions = [] }) => eventDefinitions.some(isLink),
  checkBare: (node, { report }) => report(node, `${describe(node)} needs to say what it waits for.`),
  position: () => ({
    name: 'catch',
    needsTrigger: true,
    instead: 'a catch event waits for a timer, a message, a signal or a condition, or is the end of a link',
  }),
  enter: async (run, node, position) => {
    const isWaiting = await awaitEvent(run, node, position, () => ({ is: 'event', ...position }))
    if (!isWaiting) run.tokens.set(position.id, { is: 'task', ...position })
  },
}
