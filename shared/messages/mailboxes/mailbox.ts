import type { Tenant } from '../../kernel/tenancy.ts'
import { usualGraphHost } from '../../platform/mail/mail-settings.ts'
import { normalAddress } from '../../platform/mail/normal-address.ts'
import { mask } from '../../platform/secrets/mask.ts'
import { storedSettings } from '../../platform/settings/read-settings.ts'
import type { SettingName } from '../../platform/settings/setting-values.ts'
import type { Config, RowTimes } from '../../platform/store/config.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import type { Incoming } from './schema.ts'

type WithoutSecret<T> = T extends unknown ? Omit<T, 'password' | 'client_secret'> : never
type StoredSignIn = WithoutSecret<NonNullable<Incoming['auth']>>

/** A mailbox as it is stored. */
export interface Mailbox extends RowTimes {
  readonly id: number
  readonly name: string
  /** In lower case, as are the aliases. */
  readonly address: string
  readonly aliases: readonly string[]
  readonly isEnabled: boolean
  /** Without the password, or the secret of the client. */
  readonly incoming: Omit<Incoming, 'auth'> & { readonly auth?: StoredSignIn | null }
  /** That secret; null: there is none. */
  readonly sealed: string | null
  readonly channelId: number | null
  readonly table: string | null
  readonly values: Readonly<Record<string, unknown>> | null
  readonly signature: string | null
  readonly isDefault: boolean
  /** Who saved it last: records that it makes are made in their name. */
  readonly savedBy: number
  readonly version: number
}

/** The id of the mailbox that the settings `IMAP_*` and `MAIL_*` make: no mailbox of its own has it. */
export const settingsMailboxId = 0

/** The name under which the secret of a mailbox is sealed. */
export const mailboxSecretName = (id: number): string => `mailbox.${id}.secret`

/** The mailboxes of a tenant besides the one of its settings, the oldest first; cached with its configuration. */
export const mailboxesOf = (config: Pick<Config, 'list'>, tenant: Tenant): Promise<readonly Mailbox[]> =>
  config.list(tenant, 'MAILBOX', readObject<Mailbox>)

/** How mails are fetched, with a mask in place of the secret. */
export function maskedIncoming({ incoming, sealed }: Pick<Mailbox, 'incoming' | 'sealed'>): Record<string, unknown> {
  const { auth } = incoming
  if (!auth || sealed === null) return { ...incoming }
  return { ...incoming, auth: { ...auth, [auth.kind === 'password' ? 'password' : 'client_secret']: mask } }
}

/** What a token for a mailbox is for. */
export const tokenUseOf = ({ protocol, host }: Pick<Incoming, 'protocol' | 'host'>) =>
  protocol === 'graph' ? { kind: 'graph' as const, host: host ?? usualGraphHost } : { kind: 'mail' as const }

/** The addresses of a mailbox, its own first. */
export const addressesOf = ({ address, aliases }: Pick<Mailbox, 'address' | 'aliases'>): readonly string[] => [
  address,
  ...aliases,
]

/** The settings that may hold the address of the mailbox of the settings, the surest first. */
const addressSettings = [
  'IMAP_USERNAME',
  'MAIL_USERNAME',
  'MAIL_FROM_ADDRESS',
] as const satisfies readonly SettingName[]

/** The addresses that the settings of a tenant name as its own, in lower case, the one of the mailbox first. */
export async function settingsAddresses(config: Pick<Config, 'list'>, tenant: Tenant): Promise<readonly string[]> {
  const settings = await storedSettings(config, tenant)
  return addressSettings.flatMap((name) => {
    const value = settings.get(name)?.value
    return typeof value === 'string' ? (normalAddress(value) ?? []) : []
  })
}
