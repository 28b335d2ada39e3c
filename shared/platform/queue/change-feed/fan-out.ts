import { readRecordWrite } from '../../store/rows/record-row.ts'
import type { Item } from '../../store/values/marshal.ts'
import type { MessageOrder, Send } from '../send.ts'
import type { ChangeEvent } from './change-event.ts'
import type { ItemChange, StreamFailure } from './on-stream.ts'

/** Which changes a queue receives, and in which form. */
export interface FanOutRoute {
  readonly queueUrl: string
  readonly wants: (change: ItemChange) => boolean
  /** Makes the message of a change; a change event by default. */
  readonly toMessage?: (change: ItemChange) => { readonly tenant_id: number }
  /** After so long the queue delivers it; at most 900. */
  readonly delaySeconds?: number
  /** For FIFO queues. In any other queue tenants take turns: many changes of one keep nobody else waiting. */
  readonly order?: (change: ItemChange) => MessageOrder
}

/**
 * Sends each queue the changes it wants, in their order, and answers those that a queue refused. The stream then
 * delivers again from the first of them on, so a consumer may receive an event twice.
 */
export async function fanOut(
  send: Send,
  routes: readonly FanOutRoute[],
  changes: readonly ItemChange[],
): Promise<readonly StreamFailure[]> {
  const failures = await Promise.all(
    routes.map(async ({ queueUrl, wants, toMessage = changeEvent, delaySeconds, order }) => {
      const wanted = changes.filter((change) => change.after && wants(change))
      const messages = wanted.map((change) => ({ ...toMessage(change), ...causeOfRow(change) }))
      const turns = order
        ? { order: wanted.map(order) }
        : { fairGroup: messages.map(({ tenant_id: tenant }) => String(tenant)) }
      const refused = await send(queueUrl, messages, { ...turns, ...(delaySeconds && { delaySeconds }) })
      return refused.map(({ index, reason }) => ({ change: wanted[index] as ItemChange, cause: new Error(reason) }))
    }),
  )
  return failures.flat()
}

/** The id of the request that wrote a row, which the row carries. */
const causeOfRow = ({ after }: ItemChange): { readonly request_id?: string } =>
  typeof after?.request_id === 'string' ? { request_id: after.request_id } : {}

/** The change event of a record's write. */
export function changeEvent({ before, after }: ItemChange): ChangeEvent {
  const {
    tenantId,
    model,
    id,
    version,
    isDelete,
    userId,
    at,
    impersonatorId,
    source = null,
    hops,
    isToldToWatchers,
  } = readRecordWrite(after as Item)
  return {
    v: 1,
    tenant_id: tenantId,
    model,
    id,
    version,
    action: isDelete ? 'delete' : before ? 'update' : 'create',
    actor: userId,
    at,
    ...(impersonatorId !== undefined && { impersonator: impersonatorId }),
    source,
    ...(hops !== undefined && { hops }),
    ...(isToldToWatchers && { watched: true as const }),
    ...(after?.merged_into !== undefined && { merged: true as const }),
  }
}
