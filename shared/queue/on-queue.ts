import {
  BatchProcessor,
  EventType,
  processPartialResponse,
  SqsFifoPartialProcessorAsync,
} from '@aws-lambda-powertools/batch'
import type * as z from 'zod'
import { inLogScope, log } from '../kernel/log.ts'

interface QueueRecord {
  readonly messageId: string
  readonly body: string
  readonly attributes?: { readonly ApproximateReceiveCount?: string }
}
interface QueueEvent {
  readonly Records: readonly QueueRecord[]
}
interface QueueContext {
  getRemainingTimeInMillis(): number
}

/**
 * A consumer of a queue: `handle` gets each message as `schema` reads it; one that throws goes back to the queue alone, and
 * after its last try to the dead-letter queue with its whole body.
 */
export const onQueue = <S extends z.ZodType>(schema: S, handle: Handle<S>) =>
  consume(schema, handle, () => new BatchProcessor(EventType.SQS), {})

/** The same for a queue that keeps an order: one message after the other, and what follows a failed one of its group waits for it. */
export const onQueueInOrder = <S extends z.ZodType>(schema: S, handle: Handle<S>) =>
  consume(schema, handle, () => new SqsFifoPartialProcessorAsync(), { skipGroupOnError: true })

/** `again`: the message was given to a consumer before, who may have died half-way. */
type Handle<S extends z.ZodType> = (message: z.output<S>, remainingMs: () => number, again: boolean) => Promise<unknown>

function consume<S extends z.ZodType>(
  schema: S,
  handle: Handle<S>,
  open: () => BatchProcessor,
  options: { readonly skipGroupOnError?: true },
) {
  return (event: QueueEvent, context: QueueContext) => {
    const processor = open()
    const remainingMs = () => context.getRemainingTimeInMillis()
    const handleRecord = ({ messageId, body, attributes }: QueueRecord) =>
      inLogScope({ message_id: messageId }, async () => {
        try {
          await handle(
            schema.parse(JSON.parse(body)),
            remainingMs,
            Number(attributes?.ApproximateReceiveCount ?? 1) > 1,
          )
        } catch (cause) {
          log.error('message failed', cause)
          throw cause
        }
      })
    return processPartialResponse(event as never, handleRecord as never, processor, {
      ...options,
      context: context as never,
      throwOnFullBatchFailure: false,
    } as never)
  }
}
