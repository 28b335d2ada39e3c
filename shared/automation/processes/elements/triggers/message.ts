import type { TriggerElement } from '../element.ts'

/** A message, for which the engine waits as for a task. Templates have nothing that delivers one. */
export const message: TriggerElement = {
  type: 'messageEventDefinition',
  on: 'message',
  line: 'waits until it is completed',
  instead:
    'nothing delivers messages to a process; use a receive task with wf:completeOn, or a send task with wf:notify',
  positions: ['catch'],
  read: () => ({ on: 'message' }),
}
