import * as z from 'zod'
import { maxAmqpNameBytes } from '../../../kernel/limits/messages.ts'
import { mask } from '../../../platform/secrets/mask.ts'
import type { ChannelTypeDeclaration } from '../channel-type.ts'
import { retrySchedule, secret } from '../config/config-values.ts'

/** The limit of AMQP for the names of exchanges and for routing keys. */
const amqpText = z.string().refine((value) => Buffer.byteLength(value) <= maxAmqpNameBytes, {
  error: `AMQP permits ${maxAmqpNameBytes} bytes.`,
})
const isAmqpUrl = (value: string): boolean => {
  const url = URL.parse(value)
  return url !== null && /^amqps?:$/.test(url.protocol) && url.hostname !== ''
}
const amqpUrl = secret.refine((value) => value === mask || isAmqpUrl(value), {
  error: 'An address such as amqps://user:password@host/vhost is needed.',
})

/** Messages to an exchange of an AMQP 0-9-1 broker. */
export const amqp = {
  config: z.strictObject({
    url: amqpUrl,
    exchange: amqpText,
    routing_key: amqpText.optional(),
    retry_schedule: retrySchedule,
  }),
  // The URL holds user and password.
  secrets: ['url'],
  members: 'url, exchange, routing_key',
  content: 'json',
  isPublished: true,
  // The exchange without a name routes to the queue that its key names.
  placeOf: ({ exchange, routing_key: key }) => String(exchange || (key ?? '')),
  description: 'Publishes to AMQP brokers, and records what became of it',
  deadLetters: 'Wake-ups of messages that delivery-amqp failed on',
} as const satisfies ChannelTypeDeclaration
