import { createHash } from 'node:crypto'
import { localMailboxHost } from '../../kernel/addresses/local-mailbox.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { mask } from '../../platform/secrets/mask.ts'
import { shownValue, storedSettings } from '../../platform/settings/read-settings.ts'
import type { Config } from '../../platform/store/config.ts'
import { mailboxSettingNames, type MailboxSettings, mailboxSettingsOf } from './mailbox-settings.ts'
import { type Mailbox, settingsAddresses, settingsMailboxId } from './mailbox.ts'
import type { MailboxAnswer } from './schema.ts'

/**
 * The mailbox that the settings of a tenant make, as answers show it; undefined while they are incomplete. It is the default
 * one while no other is.
 */
export async function describeSettingsMailbox(
  { config }: { readonly config: Pick<Config, 'list'> },
  tenant: Tenant,
  others: readonly Pick<Mailbox, 'isDefault'>[],
): Promise<MailboxAnswer | undefined> {
  const stored = await storedSettings(config, tenant)
  const values = Object.fromEntries(mailboxSettingNames.map((name) => [name, shownValue(stored.get(name)?.value)]))
  const settings = mailboxSettingsOf(values)
  if ('missing' in settings) return undefined
  const [address = settings.username] = await settingsAddresses(config, tenant)
  return {
    id: settingsMailboxId,
    name: 'Mailbox of the settings',
    address,
    aliases: [],
    is_enabled: true,
    incoming: incomingOf(settings),
    channel_id: null,
    table: null,
    values: null,
    signature: null,
    is_default: !others.some(({ isDefault }) => isDefault),
    problem: null,
    // Another one after every change.
    version: createHash('sha256').update(JSON.stringify(values)).digest().readUIntBE(0, 6),
  }
}

function incomingOf({ host, port, encryption, folder, username, login }: MailboxSettings): MailboxAnswer['incoming'] {
  if (host === localMailboxHost) return { protocol: 'local', folder }
  const auth =
    login.kind === 'password'
      ? { kind: 'password', username, password: mask }
      : {
          kind: 'oauth',
          provider: /google/.test(login.tokenUrl) ? 'google' : 'microsoft',
          flow: login.grant === 'refresh_token' ? 'authorization_code' : login.grant,
          client_id: login.clientId,
          client_secret: login.clientSecret === undefined ? null : mask,
        }
  return { protocol: 'imap', host, port, encryption: encryption === 'unset' ? null : encryption, folder, auth }
}
