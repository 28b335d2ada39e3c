import { KinesisClient, PutRecordCommand } from '@aws-sdk/client-kinesis'
import { maxStreamRecordBytes } from '../../../kernel/limits/messages.ts'
import { clientOptions } from '../../../kernel/runtime/client-options.ts'
import type { Sender } from '../../deliveries/sender.ts'
import { messageEnvelope } from '../message-envelope.ts'
import { awsFailureOf, type AwsRequest, awsTimeoutMs, tooLarge } from './aws-failure.ts'

/** Streams accept so many bytes of data and key, unless their limit was raised; and never more than the other. */
const safeBytes = 1024 * 1024

/** Most clients that are kept, one a region. */
const maxClients = 10

/**
 * Sends messages as records of Kinesis streams: the envelope of webhooks, with the message's `key` as the partition key,
 * else its id. One record a call, so a failure is always that of this message. `openClient` makes a client for a region;
 * undefined is the region of the function.
 */
export function kinesisSender({
  openClient = openKinesis,
}: {
  readonly openClient?: (region: string | undefined) => Pick<KinesisClient, 'send' | 'destroy'>
} = {}): Sender<'stream'> {
  const clientOf = keepClients(openClient)
  return {
    async send(message, { config: { stream_name: stream, region } }) {
      const data = Buffer.from(messageEnvelope(message))
      const partitionKey = message.key || message.id
      const request: AwsRequest = {
        target: `the stream ${JSON.stringify(stream)}${region === undefined ? '' : ` in ${region}`}`,
        members: 'config.stream_name and config.region',
        action: 'kinesis:PutRecord',
        sizeBytes: data.byteLength + Buffer.byteLength(partitionKey),
        safeBytes,
      }
      if (request.sizeBytes > maxStreamRecordBytes) return tooLarge(request)
      const abortSignal = AbortSignal.timeout(awsTimeoutMs)
      try {
        const { ShardId } = await clientOf(region).send(
          new PutRecordCommand({ StreamName: stream, PartitionKey: partitionKey, Data: data }),
          { abortSignal },
        )
        return { kind: 'delivered', ...(ShardId !== undefined && { excerpt: ShardId }) }
      } catch (cause) {
        return awsFailureOf(cause, abortSignal, request)
      }
    },
  }
}

const openKinesis = (region: string | undefined): KinesisClient =>
  new KinesisClient({ ...clientOptions('kinesis'), ...(region !== undefined && { region }) })

/** A client for each region, the least recently opened one given up when there are too many. */
function keepClients<Client extends { destroy(): void }>(open: (region: string | undefined) => Client) {
  const clients = new Map<string | undefined, Client>()
  return (region: string | undefined): Client => {
    const kept = clients.get(region)
    if (kept) return kept
    const client = open(region)
    clients.set(region, client)
    const [oldest] = clients
    if (clients.size > maxClients && oldest) {
      clients.delete(oldest[0])
      oldest[1].destroy()
    }
    return client
  }
}
