import { log } from '../../kernel/runtime/log.ts'
import { type MailSettings, smtpSettings } from '../../platform/mail/mail-settings.ts'
import type { MailFile, SendMail } from '../../platform/mail/mail.ts'
import type { OpenedChannel } from '../channels/channel.ts'
import type { OutgoingFile, Sender } from '../deliveries/sender.ts'
import type { Outcome } from '../deliveries/state/outcome.ts'
import { withRoom } from './file-room.ts'

/** Whether a tenant may send from an address through SES. */
export type MayUseSes = (slug: string, fromAddress: string) => boolean

/**
 * Through what and as whom a channel sends mails. `localPort`: where the mail server of the embedded cloud listens; undefined
 * for a channel that needs it where there is none.
 */
export function mailSettingsOfChannel(
  { config }: OpenedChannel<'email'>,
  localPort?: number,
): MailSettings | undefined {
  const { transport, from_address: fromAddress, from_name: fromName, host = '', ...server } = config
  if (transport === 'ses') return { transport, fromAddress, fromName }
  if (transport === 'local')
    return localPort === undefined
      ? undefined
      : smtpSettings({ host: '127.0.0.1', port: localPort, encryption: 'none', fromAddress, fromName })
  const { port, username, password, encryption } = server
  return smtpSettings({ host, port, username, password, encryption, fromAddress, fromName })
}

/** Sends mails through channels: the body is the HTML, the text its alternative, made from it when there is none. */
export const emailSender = ({
  sendMail,
  mayUseSes,
  localPort,
}: {
  readonly sendMail: SendMail
  readonly mayUseSes: MayUseSes
  readonly localPort?: number | undefined
}): Sender<'email'> => ({
  async send(message, channel) {
    const { id, thread, inReplyTo, isPersonal, cc, createdAt, recipient, tenant, subject = '', body, text } = message
    const settings = mailSettingsOfChannel(channel, localPort)
    if (!settings)
      return {
        kind: 'refused',
        by: 'service',
        error: 'The transport local is the mail server that npm start embeds, which this deployment does not have.',
      }
    const { transport, fromAddress } = settings
    if (transport === 'ses' && !mayUseSes(tenant.slug, fromAddress))
      return {
        kind: 'refused',
        by: 'service',
        error: `The operator has not allowed this company to send from ${fromAddress} through SES (SES_DOMAINS).`,
      }
    const send = async (files: readonly MailFile[]) =>
      sendMail(settings, {
        id,
        thread,
        inReplyTo,
        ...(isPersonal && { isPersonal }),
        createdAtMs: Date.parse(createdAt),
        to: recipient,
        ...(cc && { cc }),
        subject,
        html: body,
        text: text ?? (await textOf(body)),
        ...(files.length > 0 && { files }),
      })
    return message.files ? sendWith(message.files, send) : send([])
  },
})

/** Sends a mail with the content of its files. */
async function sendWith(
  files: readonly OutgoingFile[],
  send: (files: readonly MailFile[]) => Promise<Outcome>,
): Promise<Outcome> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const outcome = await withRoom(bytes, async (): Promise<Outcome> => {
    const read = await readFiles(files)
    return 'error' in read ? { kind: 'failed', by: 'service', error: read.error } : send(read)
  })
  return (
    outcome ?? { kind: 'failed', by: 'service', error: 'Too many mails with files are being sent at the same time.' }
  )
}

async function readFiles(files: readonly OutgoingFile[]): Promise<readonly MailFile[] | { readonly error: string }> {
  const read: MailFile[] = []
  for (const { name, contentType, read: readContent } of files)
    try {
      read.push({ name, contentType, content: await readContent() })
    } catch (cause) {
      log.error('could not read a file of a mail', cause, { file_name: name })
      return { error: `The file ${name} could not be read.` }
    }
  return read
}

/** The text of a mail without one. The entrance of the room would bring its rows along. */
async function textOf(html: string): Promise<string> {
  const { plainText } = await import('../notification-templates/plain-text.ts')
  return plainText(html)
}
