import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { FetchPublic } from '../../platform/net/guarded-request.ts'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Store, Write } from '../../platform/store/store.ts'
import type { administratorBell } from '../bell/tell-administrators.ts'
import type { MailboxSettings } from '../mailboxes/mailbox-settings.ts'
import type { Credentials, OpenMailbox } from './imap/open-mailbox.ts'
import type { ReceivedMail } from './mail/store-mail.ts'
import type { FindAccessToken } from './oauth/access-token.ts'

/** What opens mailboxes. */
export interface ConnectionDependencies {
  /** For the metadata of providers, and Microsoft Graph. */
  readonly fetchPublic: FetchPublic
  readonly config: Pick<Config, 'list'>
  readonly secrets: () => Promise<SecretBox>
  readonly accessToken: FindAccessToken
  /** The same for Microsoft Graph; takes answers as large as a mail. */
  readonly fetchMail: FetchPublic
  readonly openMailbox: (
    settings: MailboxSettings,
    credentials: Credentials,
    signal: AbortSignal,
  ) => Promise<OpenMailbox>
}

/** What polls need besides. */
export interface PollDependencies extends ConnectionDependencies {
  readonly store: Pick<Store, 'get' | 'write' | 'transact'>
  readonly clock: Clock
  /** Stores a mail as an incoming message, in one transaction with `extraWrites`. */
  readonly storeMail: (tenant: Tenant, mail: ReceivedMail, extraWrites: readonly Write[]) => Promise<'stored' | 'known'>
  readonly tellAdministrators: ReturnType<typeof administratorBell>
  /** Sends the message that has a mailbox polled again at once. */
  readonly wake: (tenant: TenantRef, mailboxId: number) => Promise<void>
}
