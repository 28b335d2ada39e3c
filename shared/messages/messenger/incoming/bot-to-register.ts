import { Invalid } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import { type Channel, channelOf } from '../../channels/channel.ts'
import { lackingSecrets } from '../../channels/config/required-secrets.ts'
import { findLegacyChannel } from '../../channels/legacy-channel.ts'
import { legacyChannelId } from '../../channels/secret-name.ts'

const named = (channels: readonly Channel[]): string =>
  channels.map(({ id, name }) => `${id} (${JSON.stringify(name)})`).join(', ')
const refuse = (problem: string): Invalid => new Invalid({ channel_id: [problem] })

/**
 * The channel whose bot is to call this service: the one with an id, or the only enabled incoming one, else the bot of the
 * settings (id 0). Throws Invalid that says what to do when there is none, or more than one to choose from.
 */
export async function botToRegister(
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
