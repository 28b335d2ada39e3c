import { Invalid } from '../../kernel/failures/faults.ts'
import type { MailboxFailure } from './imap/mailbox-failure.ts'

/** The settings name no mailbox. */
export const notConfigured = (missing: readonly string[]): Invalid =>
  new Invalid(Object.fromEntries(missing.map((name) => [name, [`The setting ${name} is required.`]])), {
    code: 'mailbox_not_configured',
    message: `The mailbox is not set up: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
  })

/** The mailbox is switched off. */
export const disabled = (name: string): Invalid =>
  new Invalid(
    { is_enabled: ['The mailbox is disabled.'] },
    { code: 'mailbox_not_configured', message: `The mailbox ${name} is disabled: enable it to fetch its mails.` },
  )

/** The mailbox could not be opened or read. */
export const unreachable = (failure: MailboxFailure): Invalid =>
  new Invalid({}, { code: 'mailbox_unreachable', message: failure.message, cause: failure })
