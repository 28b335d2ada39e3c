import { recordChanged } from '../../../shared/automation/processes/runtime/record-changed.ts'
import { ChangeEvent } from '../../../shared/platform/queue/change-feed/change-event.ts'
import { onQueue } from '../../../shared/platform/queue/on-queue.ts'
import { processes } from '../../wiring/processes/processes.ts'

/** Receives every change of a record whose table has processes, in the order of its versions. */
export const handler = onQueue(ChangeEvent, (event, _remainingMs, again) => recordChanged(processes, event, again))
