import { createHash } from 'node:crypto'
import { environment } from '../../kernel/runtime/environment.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { storedSettings } from '../../platform/settings/read-settings.ts'
import type { SettingName } from '../../platform/settings/setting-values.ts'
import type { Config } from '../../platform/store/config.ts'
import { type ChannelType, channelTypeOf } from './channel-types.ts'
import type { Channel } from './channel.ts'
import { legacyChannelId } from './secret-name.ts'

/**
 * The channel that the settings of a tenant make, which takes the place of a default channel (specification, Channel
 * resolution rules): `MAIL_*` for mails, `MESSENGER_BOT_TOKEN` for the messenger. Undefined while they are incomplete, and
 * for other types. In the embedded cloud a tenant without `MAIL_*` sends through its mail server.
 */
export async function findLegacyChannel(
  config: Pick<Config, 'list'>,
  tenant: Tenant,
  type: ChannelType,
): Promise<Channel | undefined> {
  const { settings: made } = channelTypeOf(type)
  if (!made) return undefined
  const settings = await storedSettings(config, tenant)
  const valueOf = (name: SettingName) => settings.get(name)?.value
  const plain = Object.entries(made.members).flatMap(([member, name]) => {
    const value = valueOf(name)
    return value === undefined || typeof value === 'object' ? [] : [[member, value] as const]
  })
  const sealed = Object.entries(made.secrets).flatMap(([path, name]) => {
    const value = valueOf(name)
    return typeof value === 'object' ? [[path, value.sealed] as const] : []
  })
  const given = new Set([...plain, ...sealed].map(([member]) => member))
  if (given.size === 0 && type === 'email') return embeddedMail()
  if (!made.required.every((member) => given.has(member))) return undefined
  return legacyChannel(type, made.name, { ...made.config, ...Object.fromEntries(plain) }, Object.fromEntries(sealed))
}

/** Undefined on AWS, and where the operator named a mail server. */
function embeddedMail(): Channel | undefined {
  const { LOCAL_MAIL_PORT: port, LOCAL_MAIL_FROM: from } = environment()
  if (port === undefined || from === undefined) return undefined
  return legacyChannel('email', 'Outbox of this machine', { transport: 'local', from_address: from }, {})
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
