import type { OpenedChannel } from '../channels/service.ts'
import type { Sender } from '../deliveries/service.ts'
import { type MailSettings, smtpSettings } from '../mail/mail-settings.ts'
import type { SendMail } from '../mail/mail.ts'

/** Through what and as whom a channel sends mails. */
export function mailSettingsOfChannel({ config }: OpenedChannel<'email'>): MailSettings {
  const { transport, from_address: fromAddress, from_name: fromName, host = '', ...server } = config
  if (transport === 'ses') return { transport, fromAddress, fromName }
  const { port, username, password, encryption } = server
  return smtpSettings({ host, port, username, password, encryption, fromAddress, fromName })
}

/** Sends mails through channels: the body is the HTML, the text its alternative. */
export const emailSender = (sendMail: SendMail): Sender<'email'> => ({
  send: ({ id, createdAt, recipient, subject = '', body, text }, channel) =>
    sendMail(mailSettingsOfChannel(channel), {
      id,
      createdAtMs: Date.parse(createdAt),
      to: recipient,
      subject,
      html: body,
      text,
    }),
})
