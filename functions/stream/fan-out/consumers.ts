import type { QueueVariable } from '../../../shared/kernel/runtime/require-environment.ts'
import { orderOfRecord } from '../../../shared/platform/queue/change-feed/change-event.ts'
import { changeEvent, type FanOutRoute } from '../../../shared/platform/queue/change-feed/fan-out.ts'
import type { ItemChange } from '../../../shared/platform/queue/change-feed/on-stream.ts'
import { commentEvent, messageEvent } from '../../../shared/platform/queue/change-feed/said-event.ts'
import { tenantLane } from '../../../shared/platform/queue/message-attributes.ts'
import type { MessageOrder } from '../../../shared/platform/queue/send.ts'
import { readRecordWrite } from '../../../shared/platform/store/rows/record-row.ts'
import type { Item } from '../../../shared/platform/store/values/marshal.ts'
import { onceMoreMessage, touchedMessage } from '../../../shared/records/rollups/touched-message.ts'

/** A queue that receives some of the changes. */
export interface Consumer extends Omit<FanOutRoute, 'queueUrl'> {
  /** The environment variable that holds the queue's address. */
  readonly queueUrl: QueueVariable
}

/** Whether the change wrote a new version of a record. */
const isNewVersion = ({ before, after }: ItemChange): boolean =>
  after?.feed === 'record' && after.version !== before?.version

function byRecord({ after }: ItemChange): MessageOrder {
  const { tenantId, ...record } = readRecordWrite(after as Item)
  return orderOfRecord({ tenant_id: tenantId, ...record })
}

/** Every consumer of changes. */
export const consumers: readonly Consumer[] = [
  // Not the records that an import appends to the column log itself.
  { queueUrl: 'SEARCH_QUEUE_URL', wants: (change) => isNewVersion(change) && change.after?.logged !== true },
  // What was said: it is searched with the records that it is about.
  {
    queueUrl: 'SEARCH_QUEUE_URL',
    wants: ({ after }) => after?.feed === 'comment',
    toMessage: ({ after }) => commentEvent(after as Item),
  },
  {
    queueUrl: 'SEARCH_QUEUE_URL',
    wants: ({ after }) => after?.feed === 'dealt_message',
    toMessage: ({ after }) => messageEvent(after as Item),
  },
  // A delete that its request could not finish, and each further round of that delete.
  {
    queueUrl: 'CLEANUP_QUEUE_URL',
    wants: ({ before, after }) => after?.removal === 'queued' && after.removal_round !== before?.removal_round,
  },
  // Deletes and merges: references of which the index tells late. An index lags for a second, and rarely for longer.
  ...[5, 60].map((delaySeconds): Consumer => ({
    queueUrl: 'CLEANUP_QUEUE_URL',
    wants: (change) => change.after?.look_again === true && isNewVersion(change),
    toMessage: (change) => ({ ...changeEvent(change), look_again: true }),
    delaySeconds,
  })),
  // Writes of records that rollups count.
  {
    queueUrl: 'ROLLUPS_QUEUE_URL',
    wants: (change) => change.after?.touched !== undefined && isNewVersion(change),
    toMessage: ({ after }) => touchedMessage(after as Item),
  },
  // Written rollups, once more: whoever wrote last may have read the list in a process that lagged.
  {
    queueUrl: 'ROLLUPS_QUEUE_URL',
    wants: (change) => change.after?.source === 'rollup' && isNewVersion(change),
    toMessage: ({ after }) => onceMoreMessage(after as Item),
    delaySeconds: 5,
  },
  // The records of tables with processes, in the order of their versions.
  {
    queueUrl: 'EVALUATION_QUEUE_URL',
    wants: (change) => change.after?.processes === true && isNewVersion(change),
    order: byRecord,
  },
  // The records of tables that are subscribed to, and changes that watchers are notified of, in the same order.
  {
    queueUrl: 'SUBSCRIPTIONS_QUEUE_URL',
    wants: (change) => (change.after?.subscriptions === true || change.after?.watched === true) && isNewVersion(change),
    order: byRecord,
  },
  // Commands to process instances that their writers do not carry out themselves.
  {
    queueUrl: 'PROCESSES_QUEUE_URL',
    wants: ({ before, after }) => after?.feed === 'process' && !before,
    toMessage: ({ after }) => ({ v: 1, tenant_id: Number(after?.tenant_id), instance_id: Number(after?.instance_id) }),
  },
  // What operations asked to send.
  {
    queueUrl: 'EXPANSIONS_QUEUE_URL',
    wants: ({ before, after }) => after?.feed === 'delivery' && !before,
    toMessage: ({ after }) => ({ v: 1, tenant_id: Number(after?.tenant_id), intent: String(after?.uuid) }),
  },
  // What came in, and what is to be processed again, in the order of each conversation.
  {
    queueUrl: 'INCOMING_QUEUE_URL',
    wants: ({ before, after }) => after?.feed === 'message' && (!before || after.round !== before.round),
    toMessage: ({ after }) => ({ v: 1, tenant_id: Number(after?.tenant_id), message_id: Number(after?.id) }),
    order: ({ after }) => ({
      group: tenantLane(Number(after?.tenant_id), String(after?.conversation)),
      id: `${String(after?.tenant_id)}.${String(after?.id)}.${Number(after?.round ?? 0)}`,
    }),
  },
]
