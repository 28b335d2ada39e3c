import { throwTriggers } from '../../engine/events/throw-triggers.ts'
import { doWork } from '../../engine/tokens/perform-work.ts'
import type { NodeElement } from '../element.ts'

/** A task that the service does by itself, within the step. */
const workTask = {
  kind: 'activity',
  mayChoose: true,
  enter: async (run, node, position) => {
    await throwTriggers(run, node, position)
    await doWork(run, position)
  },
} as const satisfies Omit<NodeElement, 'type' | 'line'>

/** Work that an action of the `wf:` namespace describes. */
const describedWork = {
  ...workTask,
  reads: 'work',
  attributes: { name: 'WorkProps', names: ['action', 'script', 'resultVariable'] },
  holds: ['In', 'Out', 'SetFields', 'CreateRecord', 'Notify', 'Script'],
} as const satisfies Omit<NodeElement, 'type' | 'line'>

export const serviceTask: NodeElement = {
  ...describedWork,
  type: 'serviceTask',
  line: 'sets fields, creates a record, sends notifications or runs a script',
}

export const sendTask: NodeElement = {
  ...describedWork,
  type: 'sendTask',
  line: 'sends its message (`messageRef`) with what `wf:in` says; or as `serviceTask`',
}

export const businessRuleTask: NodeElement = {
  ...describedWork,
  type: 'businessRuleTask',
  line: 'evaluates a decision table (`wf:decision`); or as `serviceTask`',
  attributes: { name: 'BusinessRuleProps', names: ['action', 'script', 'resultVariable', 'decision', 'version'] },
}

export const scriptTask: NodeElement = {
  ...workTask,
  type: 'scriptTask',
  line: 'runs its script, in JavaScript',
  reads: 'script',
  holds: ['In', 'Out'],
  // BPMN itself gives it a script.
  attributes: { name: 'ScriptTaskProps', names: ['resultVariable'] },
}
