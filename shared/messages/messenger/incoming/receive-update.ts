import { findTenant } from '../../../accounts/tenants/find-tenant.ts'
import { Unauthenticated } from '../../../kernel/failures/faults.ts'
import { maxMessengerBodyCharacters } from '../../../kernel/limits/incoming.ts'
import { addToLogScope, log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'
import { findEnabledChannel } from '../../channels/list-channels.ts'
import type { NewMessage } from '../../incoming-messages/message.ts'
import { storeMessage, type StoringDependencies } from '../../incoming-messages/receive/store-message.ts'
import { type CallingBot, findCallingBot } from './bot-secret.ts'
import { type Members, readUpdate } from './read-update.ts'
import { readStorableUpdate } from './storable-update.ts'

interface Dependencies extends StoringDependencies {
  readonly config: Pick<Config, 'get' | 'list'>
}

/**
 * Stores an update that the Bot API sends, once. Throws Unauthenticated when the secret is none of ours. Everything else
 * is taken: the Bot API would send a refused update again, and the later ones of its chat would wait. An update of a
 * disabled channel or a deleted tenant is dropped.
 */
export async function receiveUpdate(services: Dependencies, secret: string | undefined, text: string): Promise<void> {
  const { store, config, clock } = services
  const bot = await findCallingBot(store, secret)
  const tenant = bot && (await findTenant(store, bot.tenant.id))
  if (!bot || !tenant) throw new Unauthenticated('unauthenticated', 'The secret of the webhook is missing or wrong.')
  addToLogScope({ tenant_id: tenant.id, channel_id: bot.channelId })
  const why = await whyNotTaken(config, tenant, bot)
  if (why !== undefined) return log.info('dropped an update of a bot', { why })
  const read = readStorableUpdate(text)
  if (!read) return log.warn('dropped an update of a bot', { why: 'it is no JSON object', characters: text.length })
  if (read.cut.length > 0) log.warn('left parts of an update out', { cut: read.cut })
  const payload = read.cut.length > 0 ? { ...read.update, cut: read.cut } : read.update
  const { kind } = await storeMessage(services, tenant, messageOf(bot, payload, text, clock.now()))
  if (kind === 'known') log.info('an update came again')
}

async function whyNotTaken(
  config: Dependencies['config'],
  tenant: Tenant,
  { channelId: id }: CallingBot,
): Promise<string | undefined> {
  if (tenant.deleteAt !== undefined) return 'the tenant is deleted'
  return (await findEnabledChannel({ config }, tenant, { id, type: 'messenger' })).problem
}

/** Updates of a chat are one conversation, in the order of their ids. */
function messageOf({ channelId, botId }: CallingBot, payload: Members, text: string, nowMs: number): NewMessage {
  const { id, chatId, fromName, body } = readUpdate(payload)
  const bot = `m${channelId}#${botId}`
  return {
    channel: 'messenger',
    channelId,
    fromName: fromName ?? null,
    fromEmail: null,
    fromId: chatId ?? null,
    subject: null,
    body: body.slice(0, maxMessengerBodyCharacters).toWellFormed(),
    payload,
    attachments: [],
    receivedAtMs: nowMs,
    // Another bot in the channel counts its updates anew.
    onceKey: `${bot}#${id ?? keyHash(text)}`,
    conversation: `m${channelId}#${chatId ?? ''}`,
    ...(id !== undefined && { position: id }),
  }
}
