import { recordChanged } from '../../shared/processes/service.ts'
import { ChangeEvent } from '../../shared/queue/change-feed/change-event.ts'
import { onQueueInOrder } from '../../shared/queue/on-queue.ts'
import { processes } from '../wiring/processes/processes.ts'

/** Receives every change of a record whose table has processes, in the order of its versions. */
export const handler = onQueueInOrder(ChangeEvent, (event, _remainingMs, again) =>
  recordChanged(processes, event, again),
)
