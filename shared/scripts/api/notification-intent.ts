import * as z from 'zod'
import { maxRoutingKeyBytes } from '../../kernel/limits/scripts.ts'
import { InvalidApiCall } from './invalid-api-call.ts'

/* The notification methods of `$api`, with the arguments of the specification. */
const text = z.string()
const userId = z.int().min(1)
const userIds = z.union([userId.transform((id) => [id]), z.array(userId)]).transform((ids) => [...new Set(ids)])
/** A number is an id, a text is a name. */
const channel = z
  .union([z.int(), z.string()])
  .nullish()
  .transform((given) => given ?? null)
const chatId = z.union([z.int(), z.string().min(1)]).transform(String)
const numbers = z.union([
  text.transform((one) => [one]),
  z.int().transform((one) => [String(one)]),
  z.array(z.union([text, z.int().transform(String)])),
])
const json = z.json()
/** What AMQP permits for a routing key; Kinesis permits a little more. */
const key = text.refine((value) => Buffer.byteLength(value) <= maxRoutingKeyBytes)

const signatures = {
  sendPushNotification: z.object({
    title: text,
    text,
    url: text.nullish(),
    user_ids: userIds,
    category: z.enum(['system', 'message']).nullish(),
  }),
  sendMessenger: z.object({ text, user_ids: userIds, channel }),
  replyMessenger: z.object({ chat_id: chatId, text, channel }),
  sendEmail: z.object({ template: text, to: text, params: z.record(z.string(), json).nullish(), channel }),
  sendSms: z.object({ numbers, text, channel }),
  sendWebhook: z.object({ payload: json, channel }),
  publish: z.object({ payload: json, channel: z.union([z.int(), z.string()]), key: key.nullish() }),
  sendToChannel: z.object({
    channel: z.int(),
    message: z.object({ recipients: z.array(z.union([text, z.int().transform(String)])), body: text }),
  }),
} as const

export type NotificationMethod = keyof typeof signatures
export type NotificationIntent = {
  [M in NotificationMethod]: { readonly method: M } & z.output<(typeof signatures)[M]>
}[NotificationMethod]

export const notificationMethods = Object.keys(signatures)

export const isNotificationMethod = (method: string): method is NotificationMethod => Object.hasOwn(signatures, method)

/** Reads the arguments of a call. @throws InvalidApiCall naming the argument that is wrong. */
export function readIntent(method: NotificationMethod, given: readonly unknown[]): NotificationIntent {
  const names = Object.keys(signatures[method].shape)
  // `url` is optional and in the middle: `sendPushNotification(title, text, [3, 4])` omits it.
  const args =
    method === 'sendPushNotification' && Array.isArray(given[2]) ? [given[0], given[1], null, ...given.slice(2)] : given
  const parsed = signatures[method].safeParse(Object.fromEntries(names.map((name, index) => [name, args[index]])))
  if (parsed.success) return { method, ...parsed.data } as NotificationIntent
  const wrong = parsed.error.issues[0]
  throw new InvalidApiCall(
    `$api.${method}(${names.join(', ')}): ${wrong?.path.join('.') ?? 'arguments'} is missing or of the wrong kind.`,
  )
}
