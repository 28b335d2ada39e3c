import { Conflict } from '../../kernel/failures/faults.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { settingsMailboxId } from '../mailboxes/mailbox.ts'
import type { PollDependencies } from './dependencies.ts'
import { disabled, notConfigured, unreachable } from './mailbox-fault.ts'
import { pollMailbox } from './poll/poll-mailbox.ts'
import type { FetchedMails } from './schema.ts'

/** HTTP API gives up after 29 s. */
const budget = { waitMs: 9_000, beginMs: 17_000, endMs: 24_000 } as const
const lookAgainMs = 250
/** More than fit into the time. */
const limits = { mails: 2_000, bytes: 200 * 1024 * 1024 } as const

/**
 * Fetches a mailbox of a tenant now, for as long as a request may take; what is left continues in the background. Waits
 * some seconds for a poll that is in flight, then throws Conflict (`mailbox_busy`). Throws Invalid when there is no
 * mailbox in the settings, it is disabled, or it cannot be fetched, and NotFound.
 */
export async function fetchNow(
  mailboxes: PollDependencies,
  tenant: Tenant,
  id: number = settingsMailboxId,
): Promise<FetchedMails> {
  const { clock } = mailboxes
  const startMs = clock.now()
  const signal = AbortSignal.timeout(budget.endMs)
  for (;;) {
    const outcome = await pollMailbox(
      mailboxes,
      tenant,
      { ...limits, beginUntilMs: startMs + budget.beginMs },
      signal,
      id,
    )
    if (outcome.kind === 'disabled') throw disabled(outcome.name)
    if (outcome.kind === 'unconfigured') throw notConfigured(outcome.missing)
    if (outcome.kind === 'failed') throw unreachable(outcome.failure)
    if (outcome.kind === 'polled') {
      if (outcome.taken.remaining > 0) await mailboxes.wake(tenant, id)
      return outcome.taken
    }
    if (clock.now() - startMs > budget.waitMs)
      throw new Conflict('mailbox_busy', 'The mailbox is being fetched right now. Try again in a minute.')
    await clock.sleep(lookAgainMs)
  }
}
