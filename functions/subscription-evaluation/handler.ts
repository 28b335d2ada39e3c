import { clock } from '../../shared/kernel/clock.ts'
import { ChangeEvent } from '../../shared/queue/change-feed/change-event.ts'
import { onQueueInOrder } from '../../shared/queue/on-queue.ts'
import { type EvaluationDependencies, evaluateChange } from '../../shared/subscriptions/service.ts'
import { config } from '../wiring/config.ts'
import { lazyObjects } from '../wiring/lazy-objects.ts'
import { rowAccess, rowFilter } from '../wiring/records/row-access.ts'
import { store } from '../wiring/store.ts'
import { tables } from '../wiring/tables.ts'

const dependencies: EvaluationDependencies = {
  store,
  clock,
  config,
  tables,
  rowFilter,
  access: rowAccess,
  ...lazyObjects,
}

const longestMs = 8_000

/** Receives every change of a record whose table is subscribed to, in the order of its versions. */
export const handler = onQueueInOrder(ChangeEvent, (event) => evaluateChange(dependencies, event), longestMs)
