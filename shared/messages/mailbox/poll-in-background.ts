import type { Tenant } from '../../kernel/tenancy.ts'
import { settingsMailboxId } from '../mailboxes/mailbox.ts'
import type { PollDependencies } from './dependencies.ts'
import { hasMailbox } from './find-mailbox.ts'
import { changeMailbox } from './mailbox-row.ts'
import { pollMailbox } from './poll/poll-mailbox.ts'

/** No mail is begun after 40 s; one that was begun then may take as long again, until the connection is cut. */
const time = { beginMs: 40_000, endMs: 75_000 } as const
const limits = { mails: 50, bytes: 25 * 1024 * 1024 } as const
/** How long the mailbox of a deleted tenant waits for its restoration. */
const deletedPauseMs = 60 * 60_000

/**
 * Polls a mailbox of a tenant once, and asks for the next poll at once when mails are left, so that a full mailbox
 * takes turns with others. The mailbox of a deleted tenant is left alone.
 */
export async function pollInBackground(
  mailboxes: PollDependencies,
  tenant: Tenant,
  id: number = settingsMailboxId,
): Promise<void> {
  const nowMs = mailboxes.clock.now()
  if (tenant.deleteAt !== undefined) {
    await mailboxes.store.write(tenant, changeMailbox(tenant, id, { set: {}, dueMs: nowMs + deletedPauseMs }))
    return
  }
  const signal = AbortSignal.timeout(time.endMs)
  if (!(await hasMailbox(mailboxes, tenant, id))) return
  const outcome = await pollMailbox(mailboxes, tenant, { ...limits, beginUntilMs: nowMs + time.beginMs }, signal, id)
  if (outcome.kind === 'polled' && outcome.taken.remaining > 0) await mailboxes.wake(tenant, id)
}
