/**
 * Delivers a queue's messages to a function, several batches at a time. Accepted messages are deleted, failed ones
 * come back.
 */
import { hash } from 'node:crypto'
import type { Timeline } from '../runtime/timing/timeline.ts'
import type { Meter } from '../sdk/meter/meter.ts'
import type { MessageAttribute } from '../sqs/message-store.ts'
import type { Queue, ReceivedMessage } from '../sqs/queue.ts'
import { itemFailures } from './event-source.ts'
import type { Deliver, EventSource, EventSourceDefinition, Retries } from './event-source.ts'
import { compileFilters } from './filter-pattern.ts'
import { runOutsideScope } from './invocation-scope.ts'

export interface QueueSourceOptions {
  readonly definition: EventSourceDefinition
  readonly queue: Queue
  readonly deliver: Deliver
  readonly meter: Meter
  readonly timeline: Timeline
  readonly retries: Retries
}

export function openQueueSource({
  definition,
  queue,
  deliver,
  meter,
  timeline,
  retries: { queueDelayMs },
}: QueueSourceOptions): EventSource {
  const { batchSize, batchingWindowMs, maxConcurrency } = definition
  const isFiltered = definition.patterns.length > 0
  const matches = compileFilters(definition.patterns)
  const inFlight = new Set<Promise<void>>()
  let window: (() => void) | undefined
  let stopped = false

  /** Starts batches up to the maximum concurrency. With a window, a batch that is not full waits for its end. */
  function pump(windowIsOver: boolean = batchingWindowMs === 0): void {
    while (!stopped && inFlight.size < maxConcurrency) {
      const { visible } = queue.counts
      if (visible === 0) return
      if (!windowIsOver && visible < batchSize) {
        window ??= timeline.at(timeline.now() + batchingWindowMs, () => ((window = undefined), pump(true)))
        return
      }
      const messages = queue.take(batchSize)
      if (messages.length === 0) return
      const batch = handle(messages).finally(() => {
        inFlight.delete(batch)
        pump()
      })
      inFlight.add(batch)
    }
  }

  async function handle(received: readonly ReceivedMessage[]): Promise<void> {
    if (meter.running) {
      const bodies = received.map(({ body }) => body)
      meter.countMessages(definition.functionName, queue.definition.name, bodies)
    }
    const wanted = isFiltered ? received.filter(({ body }) => matches({ body: parsed(body) })) : received
    const failed = wanted.length > 0 ? await deliverBatch(wanted) : new Set<string>()
    const accepted = received.filter(({ messageId }) => !failed.has(messageId))
    // If a delete or release fails, the message stays in flight until its visibility timeout ends.
    await Promise.allSettled([
      accepted.length > 0 && queue.delete(accepted.map(({ handle: receipt }) => receipt)),
      ...(queueDelayMs
        ? releaseAll(
            received.filter(({ messageId }) => failed.has(messageId)),
            queueDelayMs,
          )
        : []),
    ])
  }

  /**
   * In a FIFO queue, what comes after a failed message of its group was not begun. SQS counts it as an attempt all the same; one
   * machine need not.
   */
  function releaseAll(failed: readonly ReceivedMessage[], delayMs: (receives: number) => number): Promise<void>[] {
    const failedGroups = new Set<string>()
    return failed.map((message) => {
      const group = message.system['MessageGroupId'] ?? ''
      const isBegun = !queue.definition.fifo || !failedGroups.has(group)
      failedGroups.add(group)
      return queue.release(message, delayMs(message.receives), isBegun)
    })
  }

  /** Returns the ids of messages the function did not accept. */
  async function deliverBatch(messages: readonly ReceivedMessage[]): Promise<ReadonlySet<string>> {
    const ids = new Set(messages.map(({ messageId }) => messageId))
    try {
      const answer = await deliver(definition.functionName, {
        Records: messages.map((message) => toRecord(message, definition.sourceArn)),
      })
      const failures = definition.reportsItemFailures ? itemFailures(answer, ids) : new Set<string>()
      return failures === 'all' ? ids : failures
    } catch {
      return ids
    }
  }

  // A message arrives while its sender is running, but its processing is not part of the sender.
  const stopListening = queue.onArrival(() => runOutsideScope(() => pump()))
  pump()

  return {
    get busy() {
      return inFlight.size > 0 || queue.counts.visible > 0 || queue.counts.inFlight > 0
    },
    async stop() {
      stopped = true
      window?.()
      stopListening()
      await Promise.allSettled(inFlight)
    },
  }
}

function toRecord(message: ReceivedMessage, sourceArn: string): object {
  return {
    messageId: message.messageId,
    receiptHandle: message.handle,
    body: message.body,
    attributes: { ...message.system },
    messageAttributes: Object.fromEntries(
      Object.entries(message.attributes).map(([name, attribute]) => [name, toEventAttribute(attribute)]),
    ),
    md5OfBody: hash('md5', message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: sourceArn,
    awsRegion: sourceArn.split(':')[3],
  }
}

const toEventAttribute = ({ DataType, StringValue, BinaryValue }: MessageAttribute): object => ({
  dataType: DataType,
  ...(StringValue !== undefined && { stringValue: StringValue }),
  ...(BinaryValue !== undefined && { binaryValue: BinaryValue }),
  stringListValues: [],
  binaryListValues: [],
})

/** Filters see into a body that is a JSON object; any other body is text. */
function parsed(body: string): unknown {
  if (!body.startsWith('{')) return body
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
