import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Config } from '../../platform/store/config.ts'
import type { NotificationIntent } from '../../scripts/api/notification-intent.ts'
import type { Dispatch, Dispatched, NotificationSource } from '../../scripts/api/notification-port.ts'
import { resolveChannel } from '../channels/resolve-channel.ts'
import { answersTo } from '../deliveries/answers/answer-brake.ts'
import { userRecipient } from '../deliveries/expand/recipient.ts'
import { bellChannel, type PreparedIntent, prepareIntent, type Send } from '../deliveries/expand/write-intent.ts'
import type { DeliverySource } from '../deliveries/state/delivery.ts'
import { type FindTemplate, messageOf, typesOf } from './message-of.ts'
import { replyChannel } from './reply-channel.ts'

interface Dependencies {
  readonly clock: Pick<Clock, 'now' | 'uuid'>
  readonly config: Pick<Config, 'list'>
  readonly findTemplate: FindTemplate
  /** The incoming channel by which a chat wrote last; undefined when it never did. */
  readonly channelOfChat: (tenant: Tenant, chatId: string) => Promise<number | undefined>
}

/**
 * Dispatches what scripts send: to the bell, or to a channel, whose intent is stored with the operation. A channel or
 * template that is missing or disabled is a problem for the run log, and nothing is sent (specification, Errors).
 */
export function dispatchToChannels(services: Dependencies): Dispatch {
  const { clock } = services
  return async (intent, source): Promise<Dispatched> => {
    const { tenant } = source
    if (intent.method === 'sendPushNotification')
      return asDispatched(prepareIntent(clock, tenant, { ...toBell(intent, source), ...ofMail(source) }))
    const resolved =
      intent.method === 'replyMessenger'
        ? await replyChannel(services, intent, source)
        : await resolveChannel(services, tenant, typesOf[intent.method], intent.channel)
    if ('problem' in resolved) return resolved
    const { channel } = resolved
    const message = await messageOf(services.findTemplate, intent, source, channel)
    if (message.problem !== undefined) return { problem: message.problem }
    return asDispatched(prepareIntent(clock, tenant, { channel, ...message, ...ofMail(source) }))
  }
}

const asDispatched = ({ write, object }: PreparedIntent): Dispatched => ({ writes: [write], ...(object && { object }) })

/** A notification of people, who are notified where they want it once the operation is stored. */
const toBell = (
  { title, text, url, user_ids, category }: Extract<NotificationIntent, { method: 'sendPushNotification' }>,
  { task }: Pick<NotificationSource, 'task'>,
): Omit<Send, 'source'> => ({
  channel: bellChannel,
  recipients: user_ids.map(userRecipient),
  content: {
    subject: title,
    body: text,
    notice: { url: url ?? null, category: category ?? 'system', ...(task && { task }) },
  },
})

/** What asked for it, and whose mail it answers. */
const ofMail = (source: NotificationSource): Pick<Send, 'source' | 'answers'> => ({
  source: sourceOf(source),
  ...(source.answering && { answers: answersTo(source.answering) }),
})

const sourceOf = ({ model, recordId, hook, processId, impersonation }: NotificationSource): DeliverySource => ({
  model,
  record_id: recordId,
  ...(hook !== undefined && { hook }),
  ...(processId !== undefined && { process_id: processId }),
  ...(impersonation && { user_id: impersonation.userId, impersonator_id: impersonation.impersonatorId }),
})
