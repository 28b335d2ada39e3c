import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config } from '../../platform/store/config.ts'
import type { NotificationIntent } from '../../scripts/api/notification-intent.ts'
import type { NotificationSource } from '../../scripts/api/notification-port.ts'
import { resolveChannel, type Resolved, resolveReplyChannel } from '../channels/resolve-channel.ts'

interface Dependencies {
  readonly config: Pick<Config, 'list'>
  /** The incoming channel by which a chat wrote last; undefined when it never did. */
  readonly channelOfChat: (tenant: Tenant, chatId: string) => Promise<number | undefined>
}

/**
 * The channel of a `replyMessenger`: the one that it names; else the bot that received the message which the script deals
 * with; else the bot by which the chat wrote last, while that can send; else the default channel.
 */
export async function replyChannel(
  services: Dependencies,
  { channel, chat_id: chatId }: Extract<NotificationIntent, { method: 'replyMessenger' }>,
  { tenant, incomingChannelId }: Pick<NotificationSource, 'tenant' | 'incomingChannelId'>,
): Promise<Resolved> {
  const named = channel ?? incomingChannelId
  if (named !== undefined) return resolveReplyChannel(services, tenant, named)
  const known = await services.channelOfChat(tenant, chatId)
  const resolved = known === undefined ? undefined : await resolveReplyChannel(services, tenant, known)
  return resolved && 'channel' in resolved ? resolved : resolveChannel(services, tenant, ['messenger'], null)
}
