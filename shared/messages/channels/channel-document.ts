import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import type { Principal } from '../../kernel/principal.ts'
import { changeChannel, createChannel } from './administer-channels.ts'
import { type ChannelType, channelTypeOf } from './channel-types.ts'
import { channelOf } from './channel.ts'
import { checkDirection } from './check-direction.ts'
import { checkConfig } from './config/check-config.ts'
import { memberAt, withMember } from './config/config-member.ts'
import { withMasks } from './config/required-secrets.ts'
import type { ChannelDependencies } from './dependencies.ts'
import type { ChannelInput } from './schema.ts'

type Config = Readonly<Record<string, unknown>>

/** The errors of a channel in a document, by path: it holds no secrets. */
export function documentErrors({
  type,
  direction = 'outgoing',
  is_default: isDefault,
  config,
}: Pick<ChannelInput, 'type' | 'direction' | 'is_default' | 'config'>): FieldErrors {
  const given = channelTypeOf(type).secrets.filter((path) => memberAt(config, path) !== undefined)
  if (given.length > 0)
    return Object.fromEntries(
      given.map((path) => [`config.${path}`, ['A document holds no secrets: set it with PUT /api/sys/channels/{id}.']]),
    )
  try {
    checkDirection(type, direction, isDefault)
    checkConfig(type, withMasks(type, config, undefined))
    return {}
  } catch (error) {
    if (error instanceof Invalid) return error.errors
    throw error
  }
}

/** A valid configuration with its defaults, as a channel that is made from it has it; any other one as it is. */
export function normalDocument(type: ChannelType, config: Config): Config {
  if (Object.keys(documentErrors({ type, config })).length > 0) return config
  const checked: Config = checkConfig(type, withMasks(type, config, undefined))
  return channelTypeOf(type).secrets.reduce((plain, path) => withMember(plain, path, undefined), checked)
}

const sealsNothing: ChannelDependencies['secrets'] = {
  seal: () => Promise.reject(new Error('a document holds no secrets')),
}

/**
 * Creates the channel with this name or changes it. It keeps the secrets it has; one that lacks a secret sends nothing
 * until an administrator sets it.
 */
export async function applyChannelDocument(
  channels: Omit<ChannelDependencies, 'secrets'>,
  caller: Principal,
  document: Pick<ChannelInput, 'name' | 'type' | 'direction' | 'is_default' | 'is_enabled' | 'config'>,
): Promise<void> {
  const { name, type, config, is_default, is_enabled } = document
  const rows = await channels.config.listFresh(caller.tenant, 'CHANNEL')
  const before = rows.map(channelOf).find((channel) => channel.name === name)
  const masked = withMasks(type, config, before)
  const administration: ChannelDependencies = { ...channels, secrets: sealsNothing }
  if (before)
    await changeChannel(
      administration,
      caller,
      before.id,
      { is_default, is_enabled, config: masked },
      { lacking: 'later' },
    )
  else await createChannel(administration, caller, { ...document, config: masked }, 'later')
}
