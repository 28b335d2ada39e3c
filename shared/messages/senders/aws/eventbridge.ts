import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { maxEventBytes } from '../../../kernel/limits/messages.ts'
import { clientOptions } from '../../../kernel/runtime/client-options.ts'
import type { Sender } from '../../deliveries/sender.ts'
import { messageEnvelope } from '../message-envelope.ts'
import { awsFailure, awsFailureOf, type AwsRequest, awsTimeoutMs, tooLarge } from './aws-failure.ts'

/** The source of every event, for the rules of a bus. */
const source = 'entity-workflow'

/** Every partition of AWS accepts so many bytes of an entry; none accepts more than the other. */
const safeBytes = 256 * 1024

/** What the time of an entry counts for its size. */
const timeBytes = 14

/** Sends messages as events of an EventBridge bus: the envelope of webhooks as the detail. */
export function eventBridgeSender({
  client = new EventBridgeClient(clientOptions('events')),
}: {
  readonly client?: Pick<EventBridgeClient, 'send'>
} = {}): Sender<'eventbridge'> {
  return {
    async send(message, { config: { bus_name: bus, detail_type: detailType } }) {
      const detail = messageEnvelope(message)
      const request: AwsRequest = {
        target: `the event bus ${JSON.stringify(bus)}`,
        members: 'config.bus_name',
        action: 'events:PutEvents',
        sizeBytes: timeBytes + [source, detailType, detail].reduce((sum, text) => sum + Buffer.byteLength(text), 0),
        safeBytes,
      }
      if (request.sizeBytes > maxEventBytes) return tooLarge(request)
      const entry = {
        EventBusName: bus,
        Source: source,
        DetailType: detailType,
        Detail: detail,
        Time: new Date(message.change?.at ?? message.createdAt),
      }
      const abortSignal = AbortSignal.timeout(awsTimeoutMs)
      try {
        const { FailedEntryCount = 0, Entries: [result] = [] } = await client.send(
          new PutEventsCommand({ Entries: [entry] }),
          { abortSignal },
        )
        // The call succeeds also when its entry failed.
        if (FailedEntryCount > 0 || result?.ErrorCode !== undefined)
          return awsFailure(result?.ErrorCode ?? 'InternalFailure', request)
        return { kind: 'delivered', ...(result?.EventId !== undefined && { excerpt: result.EventId }) }
      } catch (cause) {
        return awsFailureOf(cause, abortSignal, request)
      }
    },
  }
}
