import {
  BatchProcessor,
  EventType,
  processPartialResponse,
  SqsFifoPartialProcessorAsync,
} from '@aws-lambda-powertools/batch'
import type { PartialItemFailureResponse } from '@aws-lambda-powertools/batch/types'
import type * as z from 'zod'
import { inLogScope, log } from '../../kernel/runtime/log.ts'
import { inTimeLimit } from '../../kernel/throttling/time-limit.ts'
import { messageCause } from './message-cause.ts'
import { type QueueRecord, returnMessages } from './return-messages.ts'

interface QueueEvent {
  readonly Records: readonly QueueRecord[]
}
interface QueueContext {
  getRemainingTimeInMillis(): number
}

/**
 * A consumer of a queue. `handle` receives each message parsed with `schema`. A message whose handling throws returns
 * to the queue alone, after a while, and moves to the dead-letter queue after its last attempt.
 */
export const onQueue = <S extends z.ZodType>(schema: S, handle: Handle<S>) =>
  consume(schema, handle, () => new BatchProcessor(EventType.SQS), {})

/**
 * A consumer of a FIFO queue. It handles one message after the other; after a failure, the rest of the group waits for
 * the retry. `maxMs`: what one message may take. A message that might not be done in time is not begun: it and the
 * rest return to the queue in their order, at once: slowness is no failure.
 */
export const onQueueInOrder = <S extends z.ZodType>(schema: S, handle: Handle<S>, maxMs: number) =>
  consume(schema, handle, () => new SqsFifoPartialProcessorAsync(), { skipGroupOnError: true }, maxMs)

/** A message that was not begun, because its function would have ended first. */
class OutOfTime extends Error {}

/** `again`: the message was delivered before, so an earlier attempt may have done part of the work. */
type Handle<S extends z.ZodType> = (message: z.output<S>, remainingMs: () => number, again: boolean) => Promise<unknown>

function consume<S extends z.ZodType>(
  schema: S,
  handle: Handle<S>,
  open: () => BatchProcessor,
  options: { readonly skipGroupOnError?: true },
  maxMs = 0,
) {
  return async (event: QueueEvent, context: QueueContext): Promise<PartialItemFailureResponse> => {
    const failed = new Set<string>()
    const processor = open()
    const remainingMs = () => context.getRemainingTimeInMillis()
    let begun = 0
    const handleRecord = ({ messageId, body, attributes }: QueueRecord) =>
      inLogScope({ message_id: messageId, ...messageCause(body) }, async () => {
        if (begun > 0 && remainingMs() < maxMs) {
          log.warn('a message was left for another run: the time is up', { begun })
          throw new OutOfTime()
        }
        begun += 1
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
      processPartialResponse(event as never, handleRecord as never, processor, {
        ...options,
        context: context as never,
        throwOnFullBatchFailure: false,
      } as never),
    )
    const returned = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
    await returnMessages(
      event.Records.filter(({ messageId }) => returned.has(messageId)),
      failed,
    )
    return answer
  }
}
