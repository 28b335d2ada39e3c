import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type { PartialItemFailureResponse } from '@aws-lambda-powertools/batch/types'
import type * as z from 'zod'
import { inLogScope, log } from '../../kernel/runtime/log.ts'
import { inTimeLimit } from '../../kernel/throttling/time-limit.ts'
import { messageCause } from './message-attributes.ts'
import { type QueueRecord, returnMessages } from './return-messages.ts'

interface QueueEvent {
  readonly Records: readonly QueueRecord[]
}
interface QueueContext {
  getRemainingTimeInMillis(): number
}

/** `again`: the message was delivered before, so an earlier attempt may have done part of the work. */
type Handle<S extends z.ZodType> = (message: z.output<S>, remainingMs: () => number, again: boolean) => Promise<unknown>

/**
 * A consumer of a queue. `handle` receives each message parsed with `schema`. A message whose handling throws returns
 * to the queue alone, after a while, and moves to the dead-letter queue after its last attempt. A FIFO queue delivers one
 * message at a time (`infra/catalogue/queues.ts`): those that came after it in its group wait for the retry, without an attempt.
 */
export const onQueue =
  <S extends z.ZodType>(schema: S, handle: Handle<S>) =>
  async (event: QueueEvent, context: QueueContext): Promise<PartialItemFailureResponse> => {
    const failed = new Set<string>()
    const remainingMs = () => context.getRemainingTimeInMillis()
    const handleRecord = ({ messageId, body, attributes }: QueueRecord) =>
      inLogScope({ message_id: messageId, ...messageCause(body) }, async () => {
        const startedAt = performance.now()
        try {
          await handle(
            schema.parse(JSON.parse(body)),
            remainingMs,
            Number(attributes?.ApproximateReceiveCount ?? 1) > 1,
          )
          log.debug('message handled', { ms: Math.round(performance.now() - startedAt) })
        } catch (cause) {
          log.error('message failed', cause)
          failed.add(messageId)
          throw cause
        }
      })
    const answer: PartialItemFailureResponse = await inTimeLimit(remainingMs, () =>
      processPartialResponse(event as never, handleRecord as never, new BatchProcessor(EventType.SQS), {
        context: context as never,
        throwOnFullBatchFailure: false,
      } as never),
    )
    await returnMessages(event.Records.filter(({ messageId }) => failed.has(messageId)))
    return answer
  }
