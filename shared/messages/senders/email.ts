import { graphBase, type MailSettings, smtpSettings } from '../../platform/mail/mail-settings.ts'
import type { SendMail } from '../../platform/mail/mail.ts'
import type { OpenedChannel } from '../channels/channel.ts'
import type { Sender } from '../deliveries/sender.ts'
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
    if (!channel.config.auth || !mailToken) return sendWith('')
    const { tenant: sender } = message
    const known = await mailToken(sender, channel, { fresh: false })
    if ('problem' in known) return { kind: 'failed', by: 'service', error: known.problem }
    const outcome = await sendWith(known.token)
    if (outcome.kind !== 'failed' || !refusedToken.has(outcome.code)) return outcome
    const fresh = await mailToken(sender, channel, { fresh: true })
    return 'problem' in fresh || fresh.token === known.token ? outcome : sendWith(fresh.token)

    async function sendWith(accessToken: string): ReturnType<Sender<'email'>['send']> {
      const { id, thread, inReplyTo, isPersonal, cc, createdAt, recipient, tenant, subject = '', body, text } = message
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
      return sendMail(settings, {
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
      })
    }
  },
})

/** The text of a mail without one. The entrance of the room would bring its rows along. */
async function textOf(html: string): Promise<string> {
  const { plainText } = await import('../notification-templates/plain-text.ts')
  return plainText(html)
}
