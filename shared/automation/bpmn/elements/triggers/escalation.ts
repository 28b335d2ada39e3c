import { escalate } from '../../engine/events/escalate.ts'
import { recordEvent } from '../../engine/tokens/engine-run.ts'
import type { BpmnElement } from '../../shapes/bpmn-element.ts'
import type { TriggerElement } from '../element.ts'

/** A step up, to what is around: unlike an error it may be caught without ending anything, and needs not be caught. */
export const escalation: TriggerElement = {
  type: 'escalationEventDefinition',
  on: 'escalation',
  line: 'tells the sub-processes around, by its code or any; caught, or not, while the thrower continues',
  positions: ['handler', 'boundary', 'throw', 'end'],
  read: ({ escalationRef }) => {
    const root = escalationRef as BpmnElement | undefined
    const code = (root?.escalationCode ?? root?.name ?? root?.id) as string | undefined
    return { on: 'escalation', ...(code !== undefined && { code }) }
  },
  throw: async (run, node, trigger, position) => {
    if (trigger.on !== 'escalation') return undefined
    const after = await escalate(run, trigger.code, position.in, () =>
      recordEvent(run, node.id, position.id, 'completed'),
    )
    return after === 'interrupted' ? 'gone' : undefined
  },
}
