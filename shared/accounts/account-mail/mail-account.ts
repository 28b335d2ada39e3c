import { log, mayFail } from '../../kernel/runtime/log.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { MailSettings } from '../../platform/mail/mail-settings.ts'
import type { SendMail } from '../../platform/mail/mail.ts'
import type { AccountMail } from './account-mail.ts'
import { claimMail, releaseMail, settleMail } from './claim-mail.ts'
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
