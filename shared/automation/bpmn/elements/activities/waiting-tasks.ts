import { awaitEvent } from '../../engine/tokens/await-event.ts'
import { startBoundaryEvents } from '../../engine/tokens/boundary-events.ts'
import type { NodeElement } from '../element.ts'

/** A task that waits until a person or a change of the record completes it. */
const waitingTask = {
  kind: 'activity',
  reads: 'task',
  attributes: {
    name: 'TaskProps',
    names: [
      'assignee',
      'candidateUsers',
      'candidateRoles',
      'candidateOrgUnits',
      'dueDate',
      'priority',
      'formKey',
      'outcomes',
      'fourEyes',
    ],
  },
  holds: ['In', 'Out', 'CompleteOn', 'Form', 'SetFields', 'Notify'],
  mayChoose: true,
  enter: async (run, _node, position) => {
    run.tokens.set(position.id, { is: 'task', ...position })
    await startBoundaryEvents(run, position.id)
  },
} as const satisfies Omit<NodeElement, 'type' | 'line'>

export const userTask: NodeElement = {
  ...waitingTask,
  type: 'userTask',
  line: 'waits until a person, or a change of the record, completes it',
}

export const manualTask: NodeElement = {
  ...waitingTask,
  type: 'manualTask',
  line: 'as `userTask`, for what is done outside of the service',
}

export const receiveTask: NodeElement = {
  ...waitingTask,
  type: 'receiveTask',
  line: 'waits for its message (`messageRef`); with `wf:completeOn`, as `userTask`, for a change of the record',
  enter: async (run, node, position) => {
    const isWaiting = await awaitEvent(run, node, position, () => ({ is: 'event', ...position }))
    if (!isWaiting) run.tokens.set(position.id, { is: 'task', ...position })
    await startBoundaryEvents(run, position.id)
  },
  isAwaitable: true,
}
