import { describe } from '../../shapes/bpmn-element.ts'
import type { BpmnElement } from '../../shapes/bpmn-element.ts'
import type { TriggerElement } from '../element.ts'
import { correlationKeyOf, evaluateKey, nameOfThrown, variablesOfThrown } from './thrown.ts'

/** A message to one instance, which its key finds. */
export const message: TriggerElement = {
  type: 'messageEventDefinition',
  on: 'message',
  line: 'a message with a key, by default the id of the record (`POST /api/sys/process-messages`)',
  positions: ['start', 'handler', 'boundary', 'catch', 'throw', 'end'],
  read: ({ messageRef }, event) => {
    const root = messageRef as BpmnElement | undefined
    const key = correlationKeyOf(event, root)
    return { on: 'message', name: nameOfThrown(root, event), ...(key !== undefined && { key }) }
  },
  check: (event, { messageRef }, { report, conditionProblem }) => {
    const text = [event.correlationKey, (messageRef as BpmnElement | undefined)?.correlationKey].find(
      (one) => typeof one === 'string',
    )
    const fault = typeof text === 'string' ? conditionProblem(text) : undefined
    if (fault !== undefined) report(event, `the wf:correlationKey of ${describe(event)} cannot be evaluated: ${fault}.`)
  },
  await: async (run, node, trigger, around) =>
    trigger.on !== 'message' || trigger.name === undefined
      ? undefined
      : { on: 'message', name: trigger.name, ...(await evaluateKey(run, node, trigger.key, around)) },
  throw: async (run, node, trigger, position) => {
    if (trigger.on !== 'message' || trigger.name === undefined) return undefined
    const key = await evaluateKey(run, node, trigger.key, position)
    const variables = variablesOfThrown(run, position)
    run.thrown.push({
      on: 'message',
      name: trigger.name,
      ...key,
      variables,
      elementId: node.id,
      executionId: position.id,
    })
    return undefined
  },
}
