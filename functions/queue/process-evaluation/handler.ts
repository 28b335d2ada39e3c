import { recordChanged } from '../../../shared/automation/processes/service.ts'
import { ChangeEvent } from '../../../shared/platform/queue/change-feed/change-event.ts'
import { onQueueInOrder } from '../../../shared/platform/queue/on-queue.ts'
import { processes } from '../../wiring/processes/processes.ts'

/** A start condition and the conditions of tasks may take all the time that scripts of one operation have. */
const maxMs = 22_000

/** Receives every change of a record whose table has processes, in the order of its versions. */
export const handler = onQueueInOrder(
  ChangeEvent,
  (event, _remainingMs, again) => recordChanged(processes, event, again),
  maxMs,
)
