import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Write } from '../../../platform/store/store.ts'
import { trailEvent } from '../../../platform/trail/trail-event.ts'
import { type Channel, channelOf, channelSequence } from '../../channels/channel.ts'
import { type channelOpener, lackingSecrets } from '../../channels/config/channel-secrets.ts'
import { findLegacyChannel } from '../../channels/legacy-channel.ts'
import { legacyChannelId } from '../../channels/secret-name.ts'
import type { BotAnswer, CallBot } from '../bot-api.ts'
import { botIdOf, makeBotSecret } from './bot-secret.ts'
import { allowedUpdates } from './read-update.ts'
import { beginRegistration, type RegistrationDependencies } from './webhook-registration.ts'

interface Dependencies extends RegistrationDependencies {
  readonly config: Pick<Config, 'list'>
  readonly openChannel: ReturnType<typeof channelOpener>
  readonly callBot: CallBot
  /** The address at which this service takes updates. */
  readonly webhookUrl: string
}

/** How many updates the Bot API sends at the same time, which is its default. */
const maxConnections = 40

/**
 * Has the Bot API send the updates of a bot to this service, with a secret of its own. Answers the address and the channel,
 * 0 for the bot of the settings, and leaves an event in the trail. Throws Invalid when it is not clear which bot, and when the Bot API refuses or cannot be
 * reached; Conflict while somebody else registers the same bot.
 *
 * The new secret is valid before the Bot API learns it. The old one ends once it has: the Bot API changes over at once,
 * and sends an update again that was on its way with the old one.
 */
export async function setWebhook(
  services: Dependencies,
  caller: Principal,
  channelId?: number,
): Promise<{ url: string; channel_id: number }> {
  const { tenant } = caller
  const { config, clock, openChannel, callBot, webhookUrl: url } = services
  const channel = await botToRegister(config, tenant, channelId)
  const { config: bot } = await openChannel<'messenger'>(tenant, channel)
  const secret = makeBotSecret(clock, channel.id)
  const calling = { tenant, channelId: channel.id, botId: botIdOf(bot.bot_token) }
  const registration = await beginRegistration(services, calling, secret)
  let answer: BotAnswer
  try {
    answer = await callBot(bot, 'setWebhook', {
      url,
      secret_token: secret,
      allowed_updates: allowedUpdates,
      max_connections: maxConnections,
    })
  } catch (cause) {
    await registration.uncertain()
    log.warn('the Bot API was not reached', { cause: (cause as Error).name })
    throw failed('The Bot API was not reached. Check config.api_base, and try again.')
  }
  if (!answer.isOk) {
    // A server that fails may have taken the secret all the same.
    await (answer.status >= 500 ? registration.uncertain() : registration.refused())
    throw failed(problemOf(answer))
  }
  await registration.taken(registeredEvent(clock, caller, channel, url))
  return { url, channel_id: channel.id }
}

/** The bot of the settings has no channel of its own. */
function registeredEvent(
  clock: Dependencies['clock'],
  caller: Principal,
  { id, name, version }: Channel,
  url: string,
): Write {
  const changes = { webhook: { old: null, new: url } }
  const changed =
    id === legacyChannelId
      ? { model: 'sys_settings', id: 0, name: 'settings' }
      : { model: channelSequence, id, name, version }
  return trailEvent(clock, caller.tenant, caller, { action: 'update', ...changed, changes })
}

const failed = (message: string): Invalid => new Invalid({}, { code: 'bot_api_failed', message })

function problemOf({ status, description }: BotAnswer): string {
  const said = description === '' ? '' : `: ${description}`
  return status === 401 || status === 404
    ? `The Bot API does not know the bot (${status})${said}. Enter the current token of BotFather.`
    : `The Bot API refused the webhook (${status})${said}.`
}

const named = (channels: readonly Channel[]): string =>
  channels.map(({ id, name }) => `${id} (${JSON.stringify(name)})`).join(', ')
const refuse = (problem: string): Invalid => new Invalid({ channel_id: [problem] })

/**
 * The channel whose bot is to call this service: the one with an id, or the only enabled incoming one, else the bot of the
 * settings (id 0). Throws Invalid that says what to do when there is none, or more than one to choose from.
 */
async function botToRegister(
  config: Pick<Config, 'list'>,
  tenant: Tenant,
  channelId: number | undefined,
): Promise<Channel> {
  const all = await config.list(tenant, 'CHANNEL', channelOf)
  const incoming = all.filter(({ direction }) => direction === 'incoming')
  if (channelId === undefined) {
    const enabled = incoming.filter(({ isEnabled }) => isEnabled)
    if (enabled.length > 1)
      throw refuse(`There are several incoming channels. Say which one with channel_id: ${named(enabled)}.`)
    const [only] = enabled
    if (only) return complete(only)
    if (incoming.length > 0) throw refuse(`Every incoming channel is disabled. Enable one first: ${named(incoming)}.`)
    return botOfSettings(config, tenant)
  }
  if (channelId === legacyChannelId) return botOfSettings(config, tenant)
  const channel = all.find(({ id }) => id === channelId)
  if (channel?.direction === 'incoming') {
    if (!channel.isEnabled) throw refuse(`The channel ${JSON.stringify(channel.name)} is disabled. Enable it first.`)
    return complete(channel)
  }
  const choice = incoming.length > 0 ? ` Incoming channels are ${named(incoming)}.` : ` ${howToMakeOne}`
  throw refuse(
    channel
      ? `The channel ${JSON.stringify(channel.name)} is outgoing: it receives nothing.${choice}`
      : `There is no channel ${channelId}.${choice}`,
  )
}

const howToMakeOne =
  'Make one with POST /api/sys/channels {direction: "incoming", type: "messenger"}, or set MESSENGER_BOT_TOKEN.'

async function botOfSettings(config: Pick<Config, 'list'>, tenant: Tenant): Promise<Channel> {
  const legacy = await findLegacyChannel(config, tenant, 'messenger')
  if (!legacy) throw refuse(`There is no bot to register. ${howToMakeOne}`)
  return legacy
}

function complete(channel: Channel): Channel {
  const [lacking] = lackingSecrets(channel)
  if (lacking !== undefined) throw refuse(`The channel ${JSON.stringify(channel.name)} lacks its config.${lacking}.`)
  return channel
}
