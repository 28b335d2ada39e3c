import { createHash } from 'node:crypto'
import type { Tenant } from '../../kernel/tenancy.ts'
import { type SettingName, type StoredSettings, storedSettings } from '../../platform/settings/service.ts'
import type { Config } from '../../platform/store/config.ts'
import type { ChannelType } from './channel-config.ts'
import type { Channel } from './channel.ts'
import { legacyChannelId, legacySecrets } from './secret-name.ts'

/**
 * The channel that the settings of a tenant make, which takes the place of a default channel (specification, Channel
 * resolution rules): `MAIL_*` for mails, `MESSENGER_BOT_TOKEN` for the messenger. Undefined while they are incomplete, and
 * for other types.
 */
export async function findLegacyChannel(
  config: Pick<Config, 'list'>,
  tenant: Tenant,
  type: ChannelType,
): Promise<Channel | undefined> {
  if (type !== 'email' && type !== 'messenger') return undefined
  const settings = await storedSettings(config, tenant)
  return type === 'email' ? mailChannel(settings) : botChannel(settings)
}

function mailChannel(settings: StoredSettings): Channel | undefined {
  const text = (name: SettingName): string | number | undefined => {
    const value = settings.get(name)?.value
    return typeof value === 'object' ? undefined : value
  }
  const [host, from_address] = [text('MAIL_HOST'), text('MAIL_FROM_ADDRESS')]
  if (host === undefined || from_address === undefined) return undefined
  const optional = {
    port: text('MAIL_PORT'),
    username: text('MAIL_USERNAME'),
    encryption: text('MAIL_ENCRYPTION'),
    from_name: text('MAIL_FROM_NAME'),
  }
  const given = Object.entries(optional).filter(([, value]) => value !== undefined)
  return legacyChannel(
    'email',
    'MAIL_* settings',
    { transport: 'smtp', host, from_address, ...Object.fromEntries(given) },
    sealedBy(settings, 'password'),
  )
}

function botChannel(settings: StoredSettings): Channel | undefined {
  const sealed = sealedBy(settings, 'bot_token')
  return Object.keys(sealed).length === 0
    ? undefined
    : legacyChannel('messenger', 'MESSENGER_BOT_TOKEN setting', {}, sealed)
}

function sealedBy(settings: StoredSettings, path: keyof typeof legacySecrets): Readonly<Record<string, string>> {
  const value = settings.get(legacySecrets[path])?.value
  return typeof value === 'object' ? { [path]: value.sealed } : {}
}

const legacyChannel = (
  type: ChannelType,
  name: string,
  config: Channel['config'],
  sealed: Channel['sealed'],
): Channel => ({
  id: legacyChannelId,
  name,
  type,
  direction: 'outgoing',
  isDefault: true,
  isEnabled: true,
  config,
  sealed,
  // Another one after every change.
  version: createHash('sha256')
    .update(JSON.stringify([config, sealed]))
    .digest()
    .readUIntBE(0, 6),
})
