import type * as z from 'zod'
import { inLogScope, log } from '../../kernel/runtime/log.ts'
import { inTimeLimit } from '../../kernel/throttling/time-limit.ts'
import { messageCause } from './message-attributes.ts'
import { type QueueRecord, returnMessages } from './return-messages.ts'

interface QueueEvent {
  readonly Records: readonly QueueRecord[]
}

/** A message of a batch. `again`: it was delivered before, so an earlier attempt may have done part of the work. */
export interface BatchMessage<T> {
  readonly messageId: string
  readonly message: T
  readonly again: boolean
}

/**
 * A consumer that handles the messages of a batch together. `handle` answers the cause of each failed message. Only
 * these and unreadable messages return to the queue, after a while; when `handle` throws, all do.
 */
export const onQueueBatch =
  <S extends z.ZodType>(
    schema: S,
    handle: (
      messages: readonly BatchMessage<z.output<S>>[],
    ) => Promise<ReadonlyMap<BatchMessage<z.output<S>>, unknown>>,
  ) =>
  async (
    event: QueueEvent,
    context: { getRemainingTimeInMillis(): number },
  ): Promise<{ batchItemFailures: { itemIdentifier: string }[] }> => {
    const remainingMs = () => context.getRemainingTimeInMillis()
    const failed = new Map<string, unknown>()
    const messages = event.Records.flatMap(({ messageId, body, attributes }) => {
      try {
        return [
          {
            messageId,
            message: schema.parse(JSON.parse(body)),
            again: Number(attributes?.ApproximateReceiveCount ?? 1) > 1,
          },
        ]
      } catch (cause) {
        failed.set(messageId, cause)
        return []
      }
    })
    try {
      for (const [{ messageId }, cause] of await inTimeLimit(remainingMs, () => handle(messages)))
        failed.set(messageId, cause)
    } catch (cause) {
      for (const { messageId } of messages) failed.set(messageId, cause)
    }
    for (const { messageId, body } of event.Records)
      inLogScope({ message_id: messageId, ...messageCause(body) }, () =>
        failed.has(messageId) ? log.error('message failed', failed.get(messageId)) : log.debug('message handled'),
      )
    await returnMessages(event.Records.filter(({ messageId }) => failed.has(messageId)))
    return { batchItemFailures: [...failed.keys()].map((itemIdentifier) => ({ itemIdentifier })) }
  }
