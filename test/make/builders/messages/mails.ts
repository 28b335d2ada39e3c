/** A mail and the settings of a mail server on this machine. */
import { type SmtpSettings, smtpSettings } from '../../../../shared/platform/mail/mail-settings.ts'
import type { Mail, SendMail } from '../../../../shared/platform/mail/mail.ts'
import { createMailSender } from '../../../../shared/platform/mail/send-mail.ts'
import type { Mailbox } from '../../services/mailboxes/mailbox.ts'

export const mail: Mail = {
  id: 'msg_1_0',
  createdAtMs: Date.parse('2026-11-20T08:00:00Z'),
  to: 'ada@example.com',
  subject: 'Grüße',
  text: 'Hello Ada',
  html: '<p>Hello <b>Ada</b></p>',
}

export const settingsFor = ({ port }: { readonly port: number }, more: Partial<SmtpSettings> = {}): SmtpSettings =>
  smtpSettings({ host: '127.0.0.1', port, fromAddress: 'desk@acme.test', fromName: 'Acme desk', ...more })

/** A sender of its own: it shares no connection with another. */
export const newSender = (timeoutMs?: number): SendMail => createMailSender({ loopbackAllowed: true, timeoutMs })

/** The header lines of the latest mail, unfolded. */
export const headersOf = ({ received }: Mailbox): string[] =>
  ((received.at(-1)?.raw ?? '').split('\r\n\r\n')[0] as string).replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
