import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import type * as z from 'zod'
import { inLogScope, log } from '../log.ts'

interface QueueEvent {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[]
}
interface QueueContext {
  getRemainingTimeInMillis(): number
}

/**
 * A consumer of a queue: `handle` gets each message as `schema` reads it; one that throws goes back to the queue alone, and
 * after its last try to the dead-letter queue with its whole body.
 */
export function onQueue<S extends z.ZodType>(schema: S, handle: (message: z.output<S>, remainingMs: () => number) => Promise<unknown>) {
  return (event: QueueEvent, context: QueueContext) => {
    const processor = new BatchProcessor(EventType.SQS)
    const remainingMs = () => context.getRemainingTimeInMillis()
    const handleRecord = ({ messageId, body }: { messageId: string; body: string }) =>
      inLogScope({ message_id: messageId }, async () => {
        try {
          await handle(schema.parse(JSON.parse(body)), remainingMs)
        } catch (cause) {
          log.error('message failed', cause)
          throw cause
        }
      })
    return processPartialResponse(event as never, handleRecord as never, processor, { context: context as never, throwOnFullBatchFailure: false })
  }
}
