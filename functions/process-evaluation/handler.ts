import { recordChanged } from '../../shared/processes/record-changed.ts'
import { onQueueInOrder } from '../../shared/queue/on-queue.ts'
import { ChangeEvent } from '../../shared/store/change.ts'
import { compose } from '../compose.ts'

const { processes } = compose({ loadScripts: () => import('../../shared/scripts/room.ts') })

/** Hears of every change of a record whose table has processes, in the order of its versions. */
export const handler = onQueueInOrder(ChangeEvent, (event, _remainingMs, again) => recordChanged(processes, event, again))
