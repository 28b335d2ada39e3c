import { reachOwnEvents } from '../../engine/events/reach-own-events.ts'
import type { BpmnElement } from '../../shapes/bpmn-element.ts'
import type { TriggerElement } from '../element.ts'
import { nameOfThrown, variablesOfThrown } from './thrown.ts'

/** A signal to everything that waits for its name. */
export const signal: TriggerElement = {
  type: 'signalEventDefinition',
  on: 'signal',
  line: 'a signal, to everything that waits for its name (`POST /api/sys/process-signals`)',
  positions: ['start', 'handler', 'boundary', 'catch', 'throw', 'end'],
  read: ({ signalRef }, event) => ({
    on: 'signal',
    name: nameOfThrown(signalRef as BpmnElement | undefined, event),
  }),
  await: (_run, _node, trigger) => (trigger.on === 'signal' ? { on: 'signal', name: trigger.name } : undefined),
  throw: async (run, node, trigger, position) => {
    if (trigger.on !== 'signal') return undefined
    const variables = variablesOfThrown(run, position)
    const { elementIds, isInterrupted } = await reachOwnEvents(run, trigger.name, variables, position)
    run.thrown.push({
      on: 'signal',
      name: trigger.name,
      variables,
      elementId: node.id,
      executionId: position.id,
      ...(elementIds.length > 0 && { reached: elementIds }),
    })
    return isInterrupted ? 'gone' : undefined
  },
}
