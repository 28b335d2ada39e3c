import type { Caller } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import type { Config } from '../../platform/store/config.ts'
import { idText } from '../../platform/store/keys/key.ts'
import { channelObjects } from './administer-channels.ts'
import { type Channel, channelOf } from './channel.ts'
import { lackingSecrets } from './config/channel-secrets.ts'
import { findLegacyChannel } from './legacy-channel.ts'
import type { ChannelDirection, ListedChannel } from './schema.ts'
import { legacyChannelId } from './secret-name.ts'

/** The channels of a direction or of both, newest first. Only administrators see more than id, name and type. */
export async function listChannels(
  services: { readonly config: Pick<Config, 'list'> },
  caller: Caller,
  query: ListQuery & { readonly direction?: ChannelDirection | undefined },
): Promise<Page<ListedChannel>> {
  const { direction } = query
  const all = (await channelObjects.all(services, caller.tenant)).toReversed()
  const channels = direction === undefined ? all : all.filter((one) => one.direction === direction)
  const shown = caller.isAdministrator
    ? channels.map((one) => channelObjects.describe(one, null))
    : channels.map(({ id, name, type }) => ({ id, name, type }))
  return pageOfWholeList<ListedChannel>('channels', shown, query)
}

/** The channel if something can be sent through it, else the reason why not. */
export async function findEnabledChannel(
  { config }: { readonly config: Pick<Config, 'get' | 'list'> },
  tenant: Tenant,
  { id, type }: Pick<Channel, 'id' | 'type'>,
): Promise<
  { readonly channel: Channel; readonly problem?: never } | { readonly channel?: never; readonly problem: string }
> {
  if (id === legacyChannelId) {
    const legacy = await findLegacyChannel(config, tenant, type)
    return legacy ? { channel: legacy } : { problem: `The settings for messages of the type ${type} were removed.` }
  }
  const channel = await config.get(tenant, 'CHANNEL', idText(id), channelOf)
  if (!channel) return { problem: `The channel ${id} was deleted.` }
  if (!channel.isEnabled) return { problem: `The channel ${channel.name} is disabled.` }
  const [lacking] = lackingSecrets(channel)
  return lacking === undefined ? { channel } : { problem: `The channel ${channel.name} lacks its config.${lacking}.` }
}
