import type { OpenedChannel } from '../../channels/channel.ts'
import type { OutgoingMessage, Sender } from '../../deliveries/sender.ts'
import { messageEnvelope, versionHeaders } from '../message-envelope.ts'
import { readAmqpAddress } from './amqp-address.ts'
import { amqpConnections, type AmqpConnectionsOptions } from './amqp-connections.ts'
import { outcomeOf, unsentOutcome } from './amqp-outcome.ts'
import { type AmqpMessage, publishConfirmed } from './amqp-publish.ts'

/** How long an attempt may take, with the connection. */
const defaultTimeoutMs = 15_000

/** What AMQP permits for a routing key. */
const maxKeyBytes = 255

/**
 * Publishes messages to an exchange of an AMQP 0-9-1 broker: the envelope of webhooks, persistent and mandatory. A
 * message is delivered when the broker confirmed it and a queue took it.
 */
export function amqpSender({
  timeoutMs = defaultTimeoutMs,
  ...options
}: AmqpConnectionsOptions & { readonly timeoutMs?: number }): Sender<'amqp'> {
  const useChannel = amqpConnections(options)
  return {
    async send(message, channel) {
      const { url } = channel.config
      const address = readAmqpAddress(url)
      if (!address)
        return {
          kind: 'refused',
          by: 'service',
          error: 'The config.url is no address such as amqps://user:password@host/vhost.',
        }
      const outgoing = amqpMessage(message, channel)
      if (Buffer.byteLength(outgoing.routingKey) > maxKeyBytes)
        return { kind: 'refused', by: 'service', error: `The routing key has more than ${maxKeyBytes} bytes.` }
      // A changed address or password makes another key. The connection of the former one closes when it is idle.
      const key = `${message.tenant.id} ${channel.id} ${url}`
      try {
        const confirmation = await useChannel(key, address, AbortSignal.timeout(timeoutMs), (opened) =>
          publishConfirmed(opened, outgoing),
        )
        return outcomeOf(confirmation, outgoing)
      } catch (cause) {
        return unsentOutcome(cause, address, timeoutMs)
      }
    },
  }
}

const amqpMessage = (message: OutgoingMessage, { config }: OpenedChannel<'amqp'>): AmqpMessage => ({
  exchange: config.exchange,
  routingKey: message.key ?? config.routing_key ?? '',
  content: Buffer.from(messageEnvelope(message)),
  properties: {
    messageId: message.id,
    persistent: true,
    contentType: 'application/json',
    contentEncoding: 'utf-8',
    type: message.event,
    timestamp: Math.floor(Date.parse(message.change?.at ?? message.createdAt) / 1000),
    appId: 'entity-workflow',
    ...(message.change && { headers: versionHeaders(message) }),
  },
})
