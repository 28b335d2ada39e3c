import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config } from '../../platform/store/config.ts'
import { type ChannelType, channelTypes, publishedTypes } from './channel-types.ts'
import { type Channel, channelOf } from './channel.ts'
import { lackingSecrets } from './config/channel-secrets.ts'
import { findLegacyChannel } from './legacy-channel.ts'

/** The channel to send through, or why nothing can be sent. */
export type Resolved = { readonly channel: Channel } | { readonly problem: string }

interface Dependencies {
  readonly config: Pick<Config, 'list'>
}

/**
 * Finds the channel of a send (specification, Channel resolution rules). Without an argument: the default of the type, else the channel that settings make. A
 * number is an id, a text a name; where `types` are those of `publish`, also one of them: its default. A channel that is named but missing, disabled, incoming or of another type answers a problem; nothing takes its place.
 */
export async function resolveChannel(
  services: Dependencies,
  tenant: Tenant,
  types: readonly ChannelType[],
  argument: number | string | null,
): Promise<Resolved> {
  const channels = await services.config.list(tenant, 'CHANNEL', channelOf)
  const wanted = types.length === channelTypes.length ? 'outgoing' : types.join(' or ')
  const asType = publishedTypes.find((type) => type === argument && types.includes(type))
  if (argument === null || asType !== undefined) {
    const of = asType === undefined ? types : [asType]
    const channel = channels.find(({ isDefault, type }) => isDefault && of.includes(type))
    const [only] = types
    const legacy = !channel && only && types.length === 1 && (await findLegacyChannel(services.config, tenant, only))
    if (legacy) return { channel: legacy }
    if (!channel) return { problem: `there is no default ${asType ?? wanted} channel; nothing was sent.` }
    return channel.isEnabled
      ? complete(channel)
      : {
          problem: `the default ${channel.type} channel ${JSON.stringify(channel.name)} is disabled; nothing was sent.`,
        }
  }
  const named = JSON.stringify(argument)
  const channel = findNamed(channels, argument)
  if (channel?.direction === 'incoming')
    return {
      problem: `the channel ${named} is incoming: only replyMessenger answers through it; nothing was sent.`,
    }
  return usable(channel, types, wanted, named)
}

/**
 * Finds the channel that answers a chat: the incoming or outgoing messenger channel with this id or name. The id 0 is the
 * bot of the settings.
 */
export async function resolveReplyChannel(
  { config }: Dependencies,
  tenant: Tenant,
  argument: number | string,
): Promise<Resolved> {
  const named = JSON.stringify(argument)
  const channel =
    argument === 0
      ? await findLegacyChannel(config, tenant, 'messenger')
      : findNamed(await config.list(tenant, 'CHANNEL', channelOf), argument)
  return usable(channel, ['messenger'], 'messenger', named)
}

const findNamed = (channels: readonly Channel[], argument: number | string): Channel | undefined =>
  channels.find(({ id, name }) => (typeof argument === 'number' ? id : name) === argument)

function usable(channel: Channel | undefined, types: readonly ChannelType[], wanted: string, named: string): Resolved {
  if (!channel) return { problem: `there is no ${wanted} channel ${named}; nothing was sent.` }
  if (!types.includes(channel.type))
    return { problem: `the channel ${named} is of type ${channel.type}, not ${wanted}; nothing was sent.` }
  return channel.isEnabled ? complete(channel) : { problem: `the channel ${named} is disabled; nothing was sent.` }
}

function complete(channel: Channel): Resolved {
  const [lacking] = lackingSecrets(channel)
  return lacking === undefined
    ? { channel }
    : { problem: `the channel ${JSON.stringify(channel.name)} lacks its config.${lacking}; nothing was sent.` }
}
