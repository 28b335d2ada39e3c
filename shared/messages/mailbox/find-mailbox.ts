import { localMailboxHost } from '../../kernel/addresses/local-mailbox.ts'
import { NotFound } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { graphBase } from '../../platform/mail/mail-settings.ts'
import { readSettings } from '../../platform/settings/read-settings.ts'
import {
  mailboxSettingNames,
  type MailboxSettings,
  mailboxSettingsOf,
  namesMailbox,
} from '../mailboxes/mailbox-settings.ts'
import { type Mailbox, mailboxSecretName, mailboxesOf, settingsMailboxId, tokenUseOf } from '../mailboxes/mailbox.ts'
import type { ConnectionDependencies } from './dependencies.ts'
import { oauthSettings } from './oauth/sign-in-settings.ts'

/** Where a mailbox is, and how the service signs in there. */
export type FoundMailbox =
  | {
      readonly kind: 'found'
      readonly isEnabled: boolean
      readonly settings: MailboxSettings
      /** As people know it. */
      readonly name: string
      /** Whether somebody means to fetch it; `MAIL_*` alone may only be for sending. */
      readonly isMeant: boolean
    }
  | { readonly kind: 'unconfigured'; readonly missing: readonly string[] }

type Dependencies = Pick<ConnectionDependencies, 'config' | 'secrets' | 'fetchPublic'>

/** Finds a mailbox of a tenant; 0 is the one of its settings. Throws NotFound. */
export async function findMailbox(services: Dependencies, tenant: Tenant, id: number): Promise<FoundMailbox> {
  if (id === settingsMailboxId) return findMailboxOfSettings(services, tenant)
  const one = (await mailboxesOf(services.config, tenant)).find((each) => each.id === id)
  if (!one) throw new NotFound('mailbox', { id })
  const { name, isEnabled } = one
  const settings = await openSettings(services, tenant, one)
  return { kind: 'found', isEnabled, settings, name: `The mailbox ${name}`, isMeant: true }
}

/** Whether a tenant has a mailbox. */
export const hasMailbox = async (
  { config }: Pick<Dependencies, 'config'>,
  tenant: Tenant,
  id: number,
): Promise<boolean> => id === settingsMailboxId || (await mailboxesOf(config, tenant)).some((each) => each.id === id)

async function findMailboxOfSettings(services: Dependencies, tenant: Tenant): Promise<FoundMailbox> {
  const values = await readSettings(services, tenant, mailboxSettingNames)
  const settings = mailboxSettingsOf(values)
  if ('missing' in settings) return { kind: 'unconfigured', missing: settings.missing }
  return { kind: 'found', isEnabled: true, settings, name: 'The mailbox', isMeant: namesMailbox(values) }
}

/** The settings of a mailbox, with its secret. */
async function openSettings(
  { secrets, fetchPublic }: Dependencies,
  tenant: Tenant,
  { id, address, incoming, sealed }: Mailbox,
): Promise<MailboxSettings> {
  const { protocol, host, port, encryption, folder, auth } = incoming
  const where = { folder: folder ?? 'INBOX', named: 'incoming' as const }
  if (protocol === 'local')
    return { ...where, host: localMailboxHost, port: 0, encryption: 'none', username: address, login: localLogin }
  const secret = sealed === null ? '' : await (await secrets()).open(tenant, mailboxSecretName(id), sealed)
  return {
    ...where,
    host: host ?? '',
    ...(protocol === 'graph' && { graphBase: graphBase(incoming) }),
    port: port ?? 993,
    encryption: encryption ?? 'ssl',
    username: (auth?.kind === 'password' ? auth.username : null) ?? address,
    login:
      auth?.kind === 'oauth'
        ? { kind: 'oauth', ...(await oauthSettings(fetchPublic, auth, secret, tokenUseOf(incoming), id)) }
        : { kind: 'password', password: secret },
  }
}

/** The local cloud takes any password. */
const localLogin = { kind: 'password', password: 'local' } as const
