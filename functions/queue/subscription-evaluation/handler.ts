import {
  evaluateChange,
  type EvaluationDependencies,
} from '../../../shared/automation/subscriptions/evaluate/evaluate-change.ts'
import { SubscriptionMessage } from '../../../shared/automation/subscriptions/evaluate/parts.ts'
import { requireEnvironment } from '../../../shared/kernel/runtime/require-environment.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { onQueue } from '../../../shared/platform/queue/on-queue.ts'
import { noticeReaders } from '../../wiring/messages/noticed-record.ts'
import { config } from '../../wiring/platform/config.ts'
import { lazyObjects } from '../../wiring/platform/lazy-objects.ts'
import { send } from '../../wiring/platform/send.ts'
import { store } from '../../wiring/platform/store.ts'
import { rowAccess, rowFilter } from '../../wiring/records/row-access.ts'
import { tables } from '../../wiring/tables/tables.ts'

const dependencies: EvaluationDependencies = {
  store,
  clock,
  config,
  tables,
  rowFilter,
  access: rowAccess,
  send,
  ...noticeReaders,
  queueUrl: requireEnvironment('SUBSCRIPTIONS_QUEUE_URL'),
  ...lazyObjects,
}

/** After so long a message leaves the people who are not told yet to another one. */
const tellingMs = 8_000

/** Receives every change of a record whose table is subscribed to, in the order of its versions. */
export const handler = onQueue(SubscriptionMessage, (message, _remainingMs, again) => {
  const endsAt = clock.now() + tellingMs
  return evaluateChange(dependencies, message, { again, timeIsUp: () => clock.now() >= endsAt })
})
