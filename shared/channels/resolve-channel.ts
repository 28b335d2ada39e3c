import type { Tenant } from '../kernel/tenancy.ts'
import type { Config } from '../store/config.ts'
import { type ChannelType, channelTypes, publishedTypes } from './channel-config.ts'
import { type Channel, channelOf } from './channel.ts'
import { findLegacyChannel } from './legacy-channel.ts'
import { lackingSecrets } from './required-secrets.ts'

/** The channel to send through, or why nothing can be sent. */
export type Resolved = { readonly channel: Channel } | { readonly problem: string }

/**
 * Finds the channel of a send (specification, Channel resolution rules). Without an argument: the default of the type, else the channel that settings make. A
 * number is an id, a text a name; where `types` are those of `publish`, also one of them: its default. A channel that is named but missing, disabled or of another type answers a problem; nothing takes its place.
 */
export async function resolveChannel(
  { config }: { readonly config: Pick<Config, 'list'> },
  tenant: Tenant,
  types: readonly ChannelType[],
  argument: number | string | null,
): Promise<Resolved> {
  const channels = await config.list(tenant, 'CHANNEL', channelOf)
  const wanted = types.length === channelTypes.length ? 'outgoing' : types.join(' or ')
  const asType = publishedTypes.find((type) => type === argument && types.includes(type))
  if (argument === null || asType !== undefined) {
    const of = asType === undefined ? types : [asType]
    const channel = channels.find(({ isDefault, type }) => isDefault && of.includes(type))
    const [only] = types
    const legacy = !channel && only && types.length === 1 && (await findLegacyChannel(config, tenant, only))
    if (legacy) return { channel: legacy }
    if (!channel) return { problem: `there is no default ${asType ?? wanted} channel; nothing was sent.` }
    return channel.isEnabled
      ? complete(channel)
      : {
          problem: `the default ${channel.type} channel ${JSON.stringify(channel.name)} is disabled; nothing was sent.`,
        }
  }
  const named = JSON.stringify(argument)
  const channel = channels.find(({ id, name }) => (typeof argument === 'number' ? id : name) === argument)
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
