import { type FieldErrors, Invalid } from '../../kernel/failures/faults.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { channelObjects, checkDirection } from './administer-channels.ts'
import { type ChannelType, channelTypeOf } from './channel-types.ts'
import { withMasks } from './config/channel-secrets.ts'
import { checkConfig } from './config/check-config.ts'
import { memberAt, withMember } from './config/config-values.ts'
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
    if (error instanceof Invalid) return error.problems
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

/** The administration of channels without their secrets: one that lacks a secret gets it later. */
export const withoutSecrets = (channels: Omit<ChannelDependencies, 'secrets'>): ChannelDependencies => ({
  ...channels,
  secrets: sealsNothing,
  lacking: 'later',
})

/**
 * The channel of a document as it is administered: it keeps the secrets it has. One that lacks a secret sends nothing until
 * an administrator sets it.
 */
export async function inputOfDocument<T extends Pick<ChannelInput, 'name' | 'type' | 'config'>>(
  channels: Pick<ChannelDependencies, 'config'>,
  tenant: TenantRef,
  document: T,
): Promise<T> {
  const before = (await channelObjects.allFresh(channels, tenant)).find(({ name }) => name === document.name)
  return { ...document, config: withMasks(document.type, document.config, before) }
}
