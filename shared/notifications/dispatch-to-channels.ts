import { bellItem, type BellNotification } from '../bell/service.ts'
import { channelTypes, type ChannelType, publishedTypes } from '../channels/schema.ts'
import { type Channel, resolveChannel } from '../channels/service.ts'
import { intentWrite } from '../deliveries/service.ts'
import { type Clock, isoTime } from '../kernel/clock.ts'
import { timeIds } from '../kernel/time-ids.ts'
import type {
  Dispatch,
  Dispatched,
  NotificationIntent,
  NotificationMethod,
  NotificationSource,
} from '../scripts/service.ts'
import type { Config } from '../store/config.ts'

type ToChannel = Exclude<NotificationIntent, { method: 'sendPushNotification' }>

/** The types of channels that a method sends through. */
const typesOf: Readonly<Record<Exclude<NotificationMethod, 'sendPushNotification'>, readonly ChannelType[]>> = {
  sendMessenger: ['messenger'],
  replyMessenger: ['messenger'],
  sendEmail: ['email'],
  sendSms: ['sms'],
  sendWebhook: ['webhook'],
  publish: publishedTypes,
  sendToChannel: channelTypes,
}

/**
 * Dispatches what scripts send: to the bell, or to a channel, whose intent is stored with the operation. A channel that
 * is missing or disabled is a problem for the run log, and nothing is sent (specification, Errors).
 */
export function dispatchToChannels({
  clock,
  config,
}: {
  readonly clock: Pick<Clock, 'now' | 'random' | 'uuid'>
  readonly config: Pick<Config, 'list'>
}): Dispatch {
  const nextId = timeIds(clock)
  return async (intent, source): Promise<Dispatched> => {
    const { tenant } = source
    if (intent.method === 'sendPushNotification') {
      const createdAt = isoTime(clock.now())
      return {
        writes: intent.user_ids.map((userId) => ({
          put: bellItem(tenant, bellNotification(userId, nextId(), intent, source, createdAt)),
        })),
      }
    }
    const resolved = await resolveChannel({ config }, tenant, typesOf[intent.method], intent.channel)
    if ('problem' in resolved) return resolved
    const { channel } = resolved
    const data = dataOf(intent)
    if (channel.type !== 'webhook' || data === undefined)
      return { problem: `messages cannot leave through channels of type ${channel.type} yet; nothing was sent.` }
    const content = { event: `${source.model}.${source.hook ?? 'process'}`, body: JSON.stringify(data) }
    const recipients = [receiverOf(channel)]
    return { writes: [intentWrite(clock, tenant, { channel, recipients, content, source: sourceOf(source) })] }
  }
}

/** What a webhook carries; undefined for a message that is none. */
const dataOf = (intent: ToChannel): unknown =>
  intent.method === 'sendWebhook' ? intent.payload : intent.method === 'sendToChannel' ? intent.message : undefined

/** Whom a delivery shows as its recipient: the address without its query, which may hold a secret. */
const receiverOf = ({ config }: Channel): string => {
  const url = URL.parse(String(config.url))
  return url ? `${url.origin}${url.pathname}` : ''
}

const sourceOf = ({ model, recordId, hook, processId }: NotificationSource) => ({
  model,
  record_id: recordId,
  ...(hook !== undefined && { hook }),
  ...(processId !== undefined && { process_id: processId }),
})

const bellNotification = (
  userId: number,
  id: number,
  intent: Extract<NotificationIntent, { method: 'sendPushNotification' }>,
  { model, recordId, runId }: NotificationSource,
  createdAt: string,
): BellNotification => ({
  id,
  userId,
  title: intent.title,
  text: intent.text,
  url: intent.url ?? null,
  category: intent.category ?? 'system',
  createdAt,
  model,
  recordId,
  runId,
})
