import { describe } from '../../definition/read/bpmn-element.ts'
import type { NodeElement } from '../element.ts'
import { isLink } from '../triggers/link.ts'

/** An event that waits in the flow, or is the end of a link. */
export const catchEvent: NodeElement = {
  kind: 'event',
  type: 'intermediateCatchEvent',
  line: 'waits for a timer, or is the end of a link',
  isAwaitable: true,
  isReachedWithoutFlow: ({ eventDefinitions = [] }) => eventDefinitions.some(isLink),
  checkBare: (node, { report }) => report(node, `${describe(node)} needs to say what it waits for.`),
  position: () => ({
    name: 'catch',
    needsTrigger: true,
    instead: 'a catch event waits for a timer or a message, or is the end of a link',
  }),
  enter: async (run, node, position) => {
    const wait = run.elements.trigger(node.trigger?.on)?.wait
    if (wait === undefined) run.tokens.set(position.id, { is: 'task', ...position })
    else await wait(run, node, position)
  },
}
