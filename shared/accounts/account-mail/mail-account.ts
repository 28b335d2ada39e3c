import { log, mayFail } from '../../kernel/runtime/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { MailSettings } from '../../platform/mail/mail-settings.ts'
import type { SendMail } from '../../platform/mail/mail.ts'
import { accountMailKey } from '../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { below, isNew, or } from '../../platform/store/writes/conditions.ts'
import { ConditionFailed } from '../../platform/store/writes/refusals.ts'
import type { AccountMail } from './account-mail.ts'
import { draftMail } from './draft-mail.ts'
import type { MailWriter } from './mail-writer.ts'

/** The mail was not accepted, but a later attempt may succeed. */
export class MailDelayed extends Error {}

export interface AccountMailer extends MailWriter {
  readonly sendMail: SendMail
  /** Through what a tenant sends; undefined when it and the deployment have nothing. */
  readonly readMailSettings: (tenant: Tenant) => Promise<MailSettings | undefined>
}

/** After this time a mail that a server keeps refusing for now is given up. */
const giveUpAfterMs = 3_600_000

/**
 * Sends an account's mail through what its tenant sends mails through. It becomes no delivery, because its link must not be
 * read by administrators. `again`: the queue delivers the message not for the first
 * time. A mail is sent twice only when an attempt could not learn whether the server took it; both then have the same
 * `Message-ID` (docs/decisions/0052). What cannot be sent is logged, without address and secret; throws MailDelayed
 * while a retry may help.
 */
export async function mailAccount(mailer: AccountMailer, message: AccountMail, again: boolean): Promise<void> {
  const claim = await claimMail(mailer, message.id)
  if (claim === 'settled') return
  if (claim === 'busy') throw new MailDelayed('another attempt is sending this mail')
  try {
    await attempt(mailer, message, again)
  } catch (error) {
    await mayFail('release a mail', () => releaseMail(mailer, message.id))
    throw error
  }
  await settleMail(mailer, message.id)
}

/** Answers once no further attempt is needed. */
async function attempt(mailer: AccountMailer, message: AccountMail, again: boolean): Promise<void> {
  const { kind } = message
  const draft = await draftMail(mailer, message, again)
  if (draft === undefined) return log.info('no mail was sent: nobody to send it to', { mail: kind })
  const { tenant, write } = draft
  const details = { mail: kind, tenant_id: tenant.id }
  const settings = await mailer.readMailSettings(tenant)
  if (!settings) return log.warn('no mail was sent: there is no mail channel, and MAIL_* is not set', details)
  const outcome = await mailer.sendMail(settings, {
    ...(await write()),
    id: message.id,
    createdAtMs: message.asked_at_ms,
  })
  if (outcome.kind === 'delivered') return log.info('a mail was sent', details)
  const isLate = mailer.clock.now() >= message.asked_at_ms + giveUpAfterMs
  if (outcome.kind === 'failed' && !isLate) throw new MailDelayed(outcome.error)
  log.warn('a mail was given up', { ...details, reason: outcome.error })
}

interface Dependencies {
  readonly store: Pick<Store, 'write'>
  readonly clock: Pick<Clock, 'now'>
}

/** Longer than an attempt may take: one that crashed does not hold the mail any longer. */
const leaseMs = 90_000
/** Longer than the queue may deliver a message again. */
const keepSeconds = 5 * 86_400

/**
 * Claims a mail for one attempt, so that a message which the queue delivers twice is sent once. `settled`: it was sent or
 * given up; `busy`: another attempt is sending it.
 */
export async function claimMail({ store, clock }: Dependencies, id: string): Promise<'claimed' | 'settled' | 'busy'> {
  const now = clock.now()
  const row = {
    ...accountMailKey(id),
    kind: 'account_mail',
    v: 1,
    lease_until_ms: now + leaseMs,
    expires_at: Math.ceil(now / 1000) + keepSeconds,
  }
  try {
    await store.write(deploymentWide, { put: row, if: or(isNew, below('lease_until_ms', now)) })
    return 'claimed'
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return error.existing?.lease_until_ms === undefined ? 'settled' : 'busy'
  }
}

/** Notes that a claimed mail needs no further attempt. */
export const settleMail = ({ store }: Dependencies, id: string): Promise<void> =>
  store.write(deploymentWide, { update: accountMailKey(id), change: { expression: 'REMOVE lease_until_ms' } })

/** Lets the next attempt claim the mail at once. */
export const releaseMail = ({ store }: Dependencies, id: string): Promise<void> =>
  store.write(deploymentWide, { remove: accountMailKey(id) })
