import type { Item } from '../../store/marshal.ts'
import { readRecordWrite } from '../../store/rows/record-row.ts'
import type { MessageOrder, Send } from '../send.ts'
import type { ChangeEvent } from './change-event.ts'
import type { ItemChange, StreamFailure } from './on-stream.ts'

export interface FanOutRoute {
  readonly queueUrl: string
  readonly wants: (change: ItemChange) => boolean
  /** What the queue is told; a change event when left out. */
  readonly toMessage?: (change: ItemChange) => object
  /** For queues that keep an order. */
  readonly order?: (change: ItemChange) => MessageOrder
}

/**
 * Tells each queue of the changes it wants, in their order. After a change that a queue did not take, later changes count as
 * failed too: the stream delivers from the first failure on again, and consumers bear hearing a thing twice.
 */
export async function fanOut(
  send: Send,
  routes: readonly FanOutRoute[],
  changes: readonly ItemChange[],
): Promise<readonly StreamFailure[]> {
  const failures = await Promise.all(
    routes.map(async ({ queueUrl, wants, toMessage = changeEvent, order }) => {
      const wanted = changes.filter((change) => change.after && wants(change))
      const refused = await send(queueUrl, wanted.map(toMessage), order && { order: wanted.map(order) })
      return refused.map(({ index, reason }) => ({ change: wanted[index] as ItemChange, cause: new Error(reason) }))
    }),
  )
  return failures.flat()
}

/** Small enough for any queue: consumers read the record itself. */
function changeEvent({ before, after }: ItemChange): ChangeEvent {
  const { tenantId, model, id, version, isDelete, userId, source = null, hops } = readRecordWrite(after as Item)
  return {
    v: 1,
    tenant_id: tenantId,
    model,
    id,
    version,
    action: isDelete ? 'delete' : before ? 'update' : 'create',
    actor: userId,
    source,
    ...(hops !== undefined && { hops }),
  }
}
