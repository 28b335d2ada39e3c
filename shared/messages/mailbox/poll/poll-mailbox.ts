import { NotFound } from '../../../kernel/failures/faults.ts'
import { log } from '../../../kernel/runtime/log.ts'
import type { Tenant, TenantRef } from '../../../kernel/tenancy.ts'
import { keyHash } from '../../../platform/store/keys/key.ts'
import type { MailboxSettings } from '../../mailboxes/mailbox-settings.ts'
import { settingsMailboxId } from '../../mailboxes/mailbox.ts'
import type { PollDependencies } from '../dependencies.ts'
import { findMailbox, hasMailbox } from '../find-mailbox.ts'
import { MailboxFailure } from '../imap/mailbox-failure.ts'
import { signIn, signInToGraph } from '../sign-in.ts'
import { acquireLease, type HeldMailbox, keepLease, releaseLease } from './lease.ts'
import { takeGraphMails } from './take-graph-mails.ts'
import { type PollLimits, type Progress, takeMails, type Taken } from './take-mails.ts'
import { currentWatermark, LeaseLost } from './watermark.ts'

/** What became of a poll. */
export type PollOutcome =
  | { readonly kind: 'polled'; readonly taken: Taken }
  /** Another poll is in flight, or took over. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unconfigured'; readonly missing: readonly string[] }
  | { readonly kind: 'disabled'; readonly name: string }
  | { readonly kind: 'failed'; readonly failure: MailboxFailure }

const intervalMs = 60_000
const maxPauseMs = 60 * 60_000
/** So many failures in a row are notified to administrators: about a quarter of an hour. */
const failuresBeforeAlert = 5

/**
 * Fetches new mails of a mailbox of a tenant, 0 being the one of its settings, under a lease. `signal` cuts the connection. A mail server that fails is asked
 * again after 1, 2, 4, ... 60 minutes. Throws what is no failure of the mail server; the mailbox is due again then, too; and
 * NotFound.
 */
export async function pollMailbox(
  mailboxes: PollDependencies,
  tenant: Tenant,
  limits: PollLimits,
  signal: AbortSignal,
  id: number = settingsMailboxId,
): Promise<PollOutcome> {
  // Else the lease would be all that is left of a mailbox that was deleted.
  if (!(await hasMailbox(mailboxes, tenant, id))) throw new NotFound('mailbox', { id })
  const held = await acquireLease(mailboxes, tenant, id)
  if (!held) return { kind: 'busy' }
  const stopRenewing = keepLease(mailboxes, tenant, held)
  const progress: Progress = { uid: undefined, tries: held.tries, hasPassed: false }
  try {
    const found = await findMailbox(mailboxes, tenant, id)
    if (found.kind === 'unconfigured' || !found.isEnabled) {
      await releaseLease(mailboxes, tenant, held, { set: { failures: 0, told: undefined }, dueMs: null })
      return found.kind === 'found' ? { kind: 'disabled', name: found.name } : found
    }
    const { settings, name, isMeant } = found
    try {
      const taken = await fetchMails(mailboxes, tenant, held, settings, limits, signal, progress)
      await succeed(mailboxes, tenant, held, name, taken)
      return { kind: 'polled', taken }
    } catch (error) {
      if (!(error instanceof MailboxFailure)) throw error
      await fail(mailboxes, tenant, held, progress, error, (isMeant || held.hasWorked) && name)
      return { kind: 'failed', failure: error }
    }
  } catch (error) {
    if (error instanceof LeaseLost) {
      log.info('another poll of the mailbox took over', { tenant_id: tenant.id })
      await releaseLease(mailboxes, tenant, held, { set: {}, dueMs: mailboxes.clock.now() + intervalMs })
      return { kind: 'busy' }
    }
    // The metadata of its provider could not be read, so that not even its address is known.
    const isOfProvider = error instanceof MailboxFailure
    await fail(mailboxes, tenant, held, progress, error, isOfProvider && 'A mailbox')
    if (isOfProvider) return { kind: 'failed', failure: error }
    throw error
  } finally {
    stopRenewing()
  }
}

async function fetchMails(
  mailboxes: PollDependencies,
  tenant: Tenant,
  held: HeldMailbox,
  settings: MailboxSettings,
  limits: PollLimits,
  signal: AbortSignal,
  progress: Progress,
): Promise<Taken> {
  const { graphBase } = settings
  if (graphBase !== undefined) {
    const folder = await signInToGraph(mailboxes, tenant, settings, graphBase, signal)
    return takeGraphMails(mailboxes, tenant, held, sourceOf(settings), folder, limits, progress)
  }
  const opened = await signIn(mailboxes, tenant, settings, signal)
  try {
    const watermark = await currentWatermark(mailboxes, tenant, held, sourceOf(settings), opened)
    return await takeMails(mailboxes, tenant, held, opened, watermark, limits, progress)
  } finally {
    await opened.close()
  }
}

/** Another host, account or folder is another mailbox, whatever its UIDs say. */
const sourceOf = ({ host, username, folder }: MailboxSettings): string =>
  keyHash(JSON.stringify([host.toLowerCase(), username, folder]))

async function succeed(
  mailboxes: PollDependencies,
  tenant: TenantRef,
  held: HeldMailbox,
  name: string,
  { remaining }: Taken,
): Promise<void> {
  if (held.isTold)
    await mailboxes.tellAdministrators(tenant, {
      title: `${name} is fetched again`,
      text: 'The mail server answers again. Mails that arrived meanwhile become incoming messages now.',
      ...about(held),
    })
  await releaseLease(mailboxes, tenant, held, {
    set: { worked: true, failures: 0, told: undefined, fetched_ms: mailboxes.clock.now(), waiting: remaining },
    dueMs: mailboxes.clock.now() + intervalMs,
  })
}

/** What a notice leads to. */
const about = ({ id }: HeldMailbox) =>
  id === settingsMailboxId ? { model: 'sys_settings', recordId: null } : { model: 'sys_mailboxes', recordId: id }

/** Notes a failure; one at a mail counts as a try of it. `name`: what notices call it; false: nobody is notified. */
async function fail(
  mailboxes: PollDependencies,
  tenant: TenantRef,
  held: HeldMailbox,
  { uid, tries, hasPassed }: Progress,
  error: unknown,
  name: string | false,
): Promise<void> {
  const failures = hasPassed ? 1 : held.failures + 1
  // A refused sign-in does not mend itself.
  const isLasting = (error instanceof MailboxFailure && error.isRefused) || failures >= failuresBeforeAlert
  const told = held.isTold || (name !== false && isLasting)
  const reason = error instanceof MailboxFailure ? error.message : 'The service failed.'
  log.info('a mailbox could not be fetched', { tenant_id: tenant.id, failures, reason, uid })
  if (told && !held.isTold)
    await mailboxes.tellAdministrators(tenant, {
      title: `${name} cannot be fetched`,
      text: `${reason} The service keeps trying, at least once an hour.`,
      ...about(held),
    })
  await releaseLease(mailboxes, tenant, held, {
    set: {
      failures,
      told: told ? true : undefined,
      last_error: reason,
      ...(uid !== undefined && { tries: tries + 1 }),
    },
    dueMs: mailboxes.clock.now() + Math.min(maxPauseMs, intervalMs * 2 ** Math.min(failures - 1, 10)),
  })
}
