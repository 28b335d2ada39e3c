import { log } from '../../kernel/runtime/log.ts'
import { graphBase, type MailSettings, smtpSettings } from '../../platform/mail/mail-settings.ts'
import type { MailFile, SendMail } from '../../platform/mail/mail.ts'
import type { OpenedChannel } from '../channels/channel.ts'
import type { OutgoingFile, Sender } from '../deliveries/sender.ts'
import type { Outcome } from '../deliveries/state/outcome.ts'
import { withRoom } from './file-room.ts'
import type { FindMailToken } from './sender-context.ts'

/** Whether a tenant may send from an address through SES. */
export type MayUseSes = (slug: string, fromAddress: string) => boolean

/**
 * Through what and as whom a channel sends mails. `localPort`: where the mail server of the embedded cloud listens; undefined
 * for a channel that needs it where there is none.
 */
export function mailSettingsOfChannel(
  { config }: OpenedChannel<'email'>,
  localPort?: number,
  accessToken = '',
): MailSettings | undefined {
  const { transport, from_address: fromAddress, from_name: fromName, host = '', auth, ...server } = config
  if (transport === 'ses') return { transport, fromAddress, fromName }
  if (transport === 'local')
    return localPort === undefined
      ? undefined
      : smtpSettings({ host: '127.0.0.1', port: localPort, encryption: 'none', fromAddress, fromName })
  const { port, username, password, encryption } = server
  if (transport === 'graph')
    return {
      transport,
      base: graphBase({ host: host === '' ? null : host, port, encryption }),
      user: username ?? fromAddress,
      accessToken,
      fromAddress,
      fromName,
    }
  if (!auth) return smtpSettings({ host, port, username, password, encryption, fromAddress, fromName })
  return smtpSettings({
    host: host === '' ? usualHosts[auth.provider] : host,
    port,
    username: username ?? fromAddress,
    accessToken,
    encryption: encryption ?? 'tls',
    fromAddress,
    fromName,
  })
}

const usualHosts = { google: 'smtp.gmail.com', microsoft: 'smtp.office365.com' } as const

/** Servers answer so to a token that they do not take (any more): RFC 4954, and HTTP. */
const refusedToken: ReadonlySet<string | undefined> = new Set(['535', '401'])

/** Sends mails through channels: the body is the HTML, the text its alternative, made from it when there is none. */
export const emailSender = ({
  sendMail,
  mayUseSes,
  localPort,
  mailToken,
}: {
  readonly sendMail: SendMail
  readonly mayUseSes: MayUseSes
  readonly localPort?: number | undefined
  readonly mailToken?: FindMailToken
}): Sender<'email'> => ({
  async send(message, channel) {
    if (!channel.config.auth || !mailToken) return sendAs('')
    const { tenant: sender } = message
    const known = await mailToken(sender, channel, { fresh: false })
    if ('problem' in known) return { kind: 'failed', by: 'service', error: known.problem }
    const outcome = await sendAs(known.token)
    if (outcome.kind !== 'failed' || !refusedToken.has(outcome.code)) return outcome
    const fresh = await mailToken(sender, channel, { fresh: true })
    return 'problem' in fresh || fresh.token === known.token ? outcome : sendAs(fresh.token)

    async function sendAs(accessToken: string): ReturnType<Sender<'email'>['send']> {
      const { id, thread, inReplyTo, isPersonal, unsubscribeUrl, cc, createdAt, recipient, tenant } = message
      const { subject = '', body, text } = message
      const own = mailSettingsOfChannel(channel, localPort, accessToken)
      if (!own)
        return {
          kind: 'refused',
          by: 'service',
          error: 'The transport local is the mail server that npm start embeds, which this deployment does not have.',
        }
      // What the operator has not allowed leaves from the address of the channel rather than not at all.
      const isAllowed = own.transport !== 'ses' || (message.from !== undefined && mayUseSes(tenant.slug, message.from))
      const settings = message.from !== undefined && isAllowed ? { ...own, fromAddress: message.from } : own
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
          ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
          createdAtMs: Date.parse(createdAt),
          to: recipient,
          ...(cc && { cc }),
          subject,
          html: body,
          text: text ?? (await textOf(body)),
          ...(files.length > 0 && { files }),
        })
      return message.files ? sendWith(message.files, send) : send([])
    }
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
