import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { ForbiddenHost, publicAddressOf, type Resolve } from '../kernel/public-address.ts'
import { isMailAddress } from './mail-address.ts'
import type { MailSettings } from './mail-settings.ts'

export interface Mail {
  /** The part of the `Message-ID` before the @. Attempts to send the same mail have the same one. */
  readonly id: string
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sending the mail again cannot succeed: the server refused it for good, or the settings are wrong. */
export class MailRefused extends Error {}
/** The mail was not accepted, but a later attempt may succeed. */
export class MailDelayed extends Error {}

/** Hands a mail to the server of the settings. Throws MailRefused or MailDelayed, whose messages hold no secrets. */
export type SendMail = (settings: MailSettings, mail: Mail) => Promise<void>

export interface MailSenderOptions {
  /** Allows servers on this machine; for the local cloud. */
  readonly loopbackAllowed: boolean
  readonly resolve?: Resolve
  /** Additional trust, for tests. */
  readonly tls?: Pick<ConnectionOptions, 'ca'>
  readonly timeoutMs?: number
}

/** No step of a delivery, nor the delivery as a whole, takes longer. */
const defaultTimeoutMs = 15_000

/**
 * Creates a sender of mails by SMTP. It connects to public addresses only, verifies certificates, and sends the
 * envelope explicitly: nodemailer would otherwise deliver to every address that it finds in a header.
 */
export function createMailSender({
  loopbackAllowed,
  resolve,
  tls = {},
  timeoutMs = defaultTimeoutMs,
}: MailSenderOptions): SendMail {
  return async (settings, mail) => {
    const { host, port, username, password, encryption, fromAddress, fromName } = settings
    if (!isMailAddress(mail.to)) throw new MailRefused('the address of the recipient is malformed')
    if (!/^[\w.-]{1,100}$/.test(mail.id)) throw new MailRefused('the id of the mail is malformed')
    if (!isMailAddress(fromAddress)) throw new MailRefused('the address of the sender (MAIL_FROM_ADDRESS) is malformed')
    const timer = AbortSignal.timeout(timeoutMs)
    let connection: Socket | undefined
    const hangUp = (): void => void connection?.destroy(new Error('timed out'))
    timer.addEventListener('abort', hangUp)
    try {
      const address = await publicAddressOf(host, { loopbackAllowed, resolve })
      connection = connect({ host: address, port })
      await once(connection, 'connect', { signal: timer })
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        host,
        port,
        connection,
        secure: encryption === 'ssl',
        requireTLS: encryption === 'tls',
        ...(username !== undefined && { auth: { user: username, pass: password ?? '' }, forceAuth: true }),
        tls: { ...tls, ...(isIP(host) === 0 && { servername: host }) },
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      await transport.sendMail({
        envelope: { from: fromAddress, to: [mail.to] },
        from: { name: oneLine(fromName ?? ''), address: fromAddress },
        to: { name: '', address: mail.to },
        messageId: `<${mail.id}@${fromAddress.slice(fromAddress.lastIndexOf('@') + 1)}>`,
        subject: oneLine(mail.subject),
        text: mail.text,
        html: mail.html,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    } catch (error) {
      throw outcomeOf(error)
    } finally {
      timer.removeEventListener('abort', hangUp)
      connection?.destroy()
    }
  }
}

/** Header values on one line, without control characters. */
const oneLine = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    .replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .trim()

/** Errors of nodemailer that settings cause: the login is missing or refused, or TLS is not offered. */
const settingsFaults: ReadonlySet<string> = new Set(['ENOAUTH', 'ECONFIG'])

/**
 * What an error means for the mail. The text of the server is left out of the message: a server may repeat the mail,
 * with its link, or the login.
 */
function outcomeOf(error: unknown): MailRefused | MailDelayed {
  if (error instanceof MailRefused) return error
  if (error instanceof ForbiddenHost) return new MailRefused(`${error.message} (MAIL_HOST)`)
  const {
    code = '',
    responseCode = 0,
    command = '',
  } = error as { code?: string; responseCode?: number; command?: string }
  const step = /^[A-Z]+/.exec(command)?.[0] ?? 'the connection'
  if (responseCode >= 500) return new MailRefused(`the mail server answered ${responseCode} to ${step}`)
  if (responseCode >= 400) return new MailDelayed(`the mail server answered ${responseCode} to ${step}`)
  if (settingsFaults.has(code)) return new MailRefused(`the mail server cannot be used with these settings: ${code}`)
  return new MailDelayed(`the mail server did not accept the mail: ${code || (error as Error).name} at ${step}`)
}
