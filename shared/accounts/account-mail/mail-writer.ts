import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { Store } from '../../platform/store/store.ts'
import type { LinkAddresses, WrittenMail } from './link-mail.ts'

/** What the writer of mails needs. */
export interface MailWriter {
  readonly store: Store
  readonly clock: Clock
  readonly addresses: LinkAddresses
}

/** A mail that is written once it is known that it can be sent: only then is a secret made. */
export interface Draft {
  readonly tenant: Tenant
  readonly write: () => Promise<WrittenMail>
}
