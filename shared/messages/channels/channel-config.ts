import * as z from 'zod'
import {
  maxAmqpNameBytes,
  maxChannelTextCharacters,
  maxDetailTypeCharacters,
  maxHeaderCharacters,
  maxRetries,
  maxRetryDelaySeconds,
  maxUrlCharacters,
} from '../../kernel/limits/messages.ts'
import { mask } from '../../platform/secrets/mask.ts'
import { signingSecret } from '../../platform/secrets/signing-secret.ts'
import { authHeader, extraHeaders, headerValue, userName } from './channel-headers.ts'

/* What a channel of each type is configured with (contract §6). */

export const channelTypes = ['messenger', 'email', 'sms', 'webhook', 'stream', 'amqp', 'eventbridge'] as const
export type ChannelType = (typeof channelTypes)[number]
/** The types that `publish` sends to. Their names stand for their default channels there. */
export const publishedTypes = ['stream', 'amqp', 'eventbridge'] as const satisfies readonly ChannelType[]

const text = z.string().trim().min(1).max(maxChannelTextCharacters)
/** KMS seals 4,096 bytes; a character has at most three. */
const secret = z.string().min(1).max(maxHeaderCharacters)
const isHttpUrl = (value: string): boolean => {
  const url = URL.parse(value)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}
const httpUrl = z.string().trim().max(maxUrlCharacters).refine(isHttpUrl, {
  error: 'An http or https address is needed, without user and password: those belong into auth.',
})
const noLineBreak = (value: string): boolean => !/\p{Cc}/u.test(value)

const auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({ type: z.literal('basic'), username: userName, password: secret }),
  z.strictObject({ type: z.literal('bearer'), token: headerValue.min(1) }),
  authHeader,
])

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

/** The service may write to the streams and buses of its own account, where their names suffice. */
const streamName = z.string().regex(/^[\w.-]{1,128}$/, {
  error: 'The name of a stream has letters, digits, dots, dashes and underscores; an ARN is no name.',
})
const busName = z.string().regex(/^[\w./-]{1,256}$/, {
  error: 'The name of an event bus has letters, digits, dots, dashes, slashes and underscores; an ARN is no name.',
})
const region = z.string().regex(/^[a-z]{2,3}(-[a-z]+){1,3}-\d{1,2}$/, {
  error: 'A region of AWS is needed, such as eu-central-1.',
})

/** Seconds before each attempt. */
const retrySchedule = z.array(z.int().min(0).max(maxRetryDelaySeconds)).min(1).max(maxRetries).optional()

const configSchemas = {
  messenger: z.strictObject({ bot_token: secret, api_base: httpUrl.optional(), retry_schedule: retrySchedule }),
  email: z.strictObject({
    transport: z.enum(['smtp', 'ses']),
    host: text.optional(),
    port: z.int().min(1).max(65_535).optional(),
    username: text.optional(),
    password: secret.optional(),
    encryption: z.enum(['ssl', 'tls', 'none']).optional(),
    from_address: z.email(),
    from_name: text.refine(noLineBreak).optional(),
    retry_schedule: retrySchedule,
  }),
  sms: z.strictObject({
    provider: z.enum(['sns', 'http']),
    sender_id: text.optional(),
    url: httpUrl.optional(),
    auth: auth.optional(),
    retry_schedule: retrySchedule,
  }),
  webhook: z.strictObject({
    url: httpUrl,
    auth: auth.default({ type: 'none' }),
    secret: signingSecret.optional(),
    headers: extraHeaders.optional(),
    retry_schedule: retrySchedule,
  }),
  stream: z.strictObject({
    provider: z.literal('kinesis'),
    stream_name: streamName,
    region: region.optional(),
    retry_schedule: retrySchedule,
  }),
  // The URL holds user and password.
  amqp: z.strictObject({
    url: amqpUrl,
    exchange: amqpText,
    routing_key: amqpText.optional(),
    retry_schedule: retrySchedule,
  }),
  eventbridge: z.strictObject({
    bus_name: busName,
    detail_type: text.max(maxDetailTypeCharacters),
    retry_schedule: retrySchedule,
  }),
} as const satisfies Record<ChannelType, z.ZodType>

export type ChannelConfig<Type extends ChannelType = ChannelType> = z.output<(typeof configSchemas)[Type]>
export const configSchema = (type: ChannelType): z.ZodObject => configSchemas[type]

const authSecrets = ['auth.password', 'auth.token', 'auth.value']
const secretPaths: Readonly<Record<ChannelType, readonly string[]>> = {
  messenger: ['bot_token'],
  email: ['password'],
  sms: authSecrets,
  webhook: ['secret', ...authSecrets],
  stream: [],
  amqp: ['url'],
  eventbridge: [],
}
/** The members of a type's configuration that are sealed. */
export const secretPathsOf = (type: ChannelType): readonly string[] => secretPaths[type]
