import { describe, isA } from '../../shapes/bpmn-element.ts'
import type { NodeElement } from '../element.ts'

/** An event on the border of an activity. No token enters it: its trigger starts with the activity and fires. */
export const boundaryEvent: NodeElement = {
  kind: 'event',
  type: 'boundaryEvent',
  line: 'leaves the activity it is attached to when its event occurs; all but errors and cancels may also run beside it',
  isAttached: true,
  mayChoose: true,
  checkPosition: (node, { nodes, flows }, { report }) => {
    const host = node.attachedToRef
    if (host === undefined)
      report(node, `${describe(node)} must be attached to a task or sub-process that exists (attachedToRef).`)
    else if (isA(host, 'Activity') && !nodes.includes(host))
      report(node, `${describe(node)} stands in another sub-process than what it is attached to, ${describe(host)}.`)
    if (flows.some(({ targetRef }) => targetRef === node)) report(node, `${describe(node)} cannot have incoming flows.`)
    if (!node.eventDefinitions?.length)
      report(
        node,
        `${describe(node)} needs to say what it catches: a timer, a message, a signal, a condition, an escalation, an error or a compensation.`,
      )
  },
  position: () => ({
    name: 'boundary',
    needsTrigger: true,
    instead:
      'on the border of an activity there may be a timer, a message, a signal, a condition, an escalation, an error or a compensation, and a cancel event on that of a transaction',
  }),
}
