import { findTenantOfMessage } from '../../shared/auth/service.ts'
import { MailboxWake } from '../../shared/mailbox/schema.ts'
import { pollInBackground } from '../../shared/mailbox/service.ts'
import { onQueue } from '../../shared/queue/on-queue.ts'
import { mailboxes } from '../wiring/messages/mailboxes.ts'
import { store } from '../wiring/store.ts'

/** Fetches the mailbox of a tenant. */
export const handler = onQueue(MailboxWake, async ({ tenant_id }) => {
  const tenant = await findTenantOfMessage(store, tenant_id)
  if (tenant) await pollInBackground(mailboxes, tenant)
})
