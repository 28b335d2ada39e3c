import type { Tenant } from '../../kernel/tenancy.ts'
import { channelOf, findLegacyChannel } from '../../messages/channels/service.ts'
import { normalAddress } from '../../platform/mail/normal-address.ts'
import { type SettingName, storedSettings } from '../../platform/settings/service.ts'
import type { Config } from '../../platform/store/config.ts'

/** The settings that may hold an address at which the tenant gets or sends mails. */
const addressSettings = [
  'MAIL_FROM_ADDRESS',
  'MAIL_USERNAME',
  'IMAP_USERNAME',
] as const satisfies readonly SettingName[]

/** Tells the addresses of the tenant itself: an answer that went to one of them would come back to us. */
export type IsOurs = (address: string) => boolean

/** Reads at which addresses the tenant gets and sends mails: those of its channels and its settings. */
export async function readOwnAddresses(config: Pick<Config, 'list'>, tenant: Tenant): Promise<IsOurs> {
  const [channels, legacy, settings] = await Promise.all([
    config.list(tenant, 'CHANNEL', channelOf),
    findLegacyChannel(config, tenant, 'email'),
    storedSettings(config, tenant),
  ])
  const senders = [...channels, ...(legacy ? [legacy] : [])].filter(({ type }) => type === 'email')
  const values = [
    ...senders.map(({ config: { from_address: from } }) => from),
    ...addressSettings.map((name) => settings.get(name)?.value),
  ]
  return ownAmong(values.filter((value) => typeof value === 'string'))
}

/** Compares without case, and without what follows a `+`, which leads to the same mailbox. */
export function ownAmong(addresses: readonly string[]): IsOurs {
  const own = new Set(addresses.flatMap((address) => normalAddress(address) ?? []))
  return (address) => {
    const known = normalAddress(address)
    return known !== null && (own.has(known) || own.has(known.replace(/\+[^@]*@/, '@')))
  }
}
