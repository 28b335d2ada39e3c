import { findTenantOfMessage } from '../../../shared/accounts/tenants/find-tenant.ts'
import { pollInBackground } from '../../../shared/messages/mailbox/poll-in-background.ts'
import { MailboxWake } from '../../../shared/messages/mailbox/schema.ts'
import { settingsMailboxId } from '../../../shared/messages/mailboxes/mailbox.ts'
import { onQueue } from '../../../shared/platform/queue/on-queue.ts'
import { mailboxes } from '../../wiring/messages/mailboxes.ts'
import { store } from '../../wiring/platform/store.ts'

/** Fetches a mailbox of a tenant. */
export const handler = onQueue(MailboxWake, async ({ tenant_id, mailbox_id = settingsMailboxId }) => {
  const tenant = await findTenantOfMessage(store, tenant_id)
  if (tenant) await pollInBackground(mailboxes, tenant, mailbox_id)
})
