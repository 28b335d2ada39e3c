import { passThrough } from '../../engine/tokens/leave.ts'
import { describe } from '../../shapes/bpmn-element.ts'
import type { EventPosition, NodeElement } from '../element.ts'

const ofProcess: EventPosition = {
  name: 'start',
  needsTrigger: false,
  instead: 'a process starts by its table, by hand, or with a timer, a message or a signal',
}
const ofHandler: EventPosition = {
  name: 'handler',
  needsTrigger: true,
  instead:
    'an event sub-process starts with a timer, a message, a signal, a condition, an escalation, an error or a compensation',
}

/** Where a process, a sub-process or an event sub-process starts. */
export const startEvent: NodeElement = {
  kind: 'event',
  type: 'startEvent',
  line: 'where a process or sub-process starts; a process may also start with a timer, a message or a signal, an event sub-process with any event; of several triggers the first starts it (`parallelMultiple`, all of them, only in an event sub-process)',
  isStart: true,
  mayChoose: true,
  checkFlows: (node, { to }, { report }) => {
    if (to.has(node)) report(node, `${describe(node)} cannot have incoming flows.`)
  },
  position: ({ owner }) => (owner.triggeredByEvent === true ? ofHandler : ofProcess),
  enter: passThrough,
}
