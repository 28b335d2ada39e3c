/** A mail server on this machine that keeps what it accepts. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly user: string | undefined
  readonly secure: boolean
  /** The message as it was sent: headers, a blank line, the encoded body. */
  readonly raw: string
}

/** What the mail server does with the next connection or mail. */
export interface MailboxScript {
  /** Answers MAIL FROM, RCPT TO or DATA with this code. */
  readonly refuse?: { readonly at: 'mail' | 'rcpt' | 'data'; readonly code: number; readonly text: string }
  /** Ends the connection, after the message, without an answer. */
  readonly drop?: true
}

export interface Mailbox {
  readonly port: number
  readonly received: ReceivedMail[]
  script: MailboxScript
  /** The plain text of the latest mail to an address. */
  textFor(address: string): string
  close(): Promise<void>
}

export interface MailboxOptions extends Pick<SMTPServerOptions, 'key' | 'cert' | 'secure'> {
  /** Who may log in. Without it the server offers no login. */
  readonly login?: { readonly username: string; readonly password: string }
}

export async function openMailbox({ login, ...tls }: MailboxOptions = {}): Promise<Mailbox> {
  const received: ReceivedMail[] = []
  const mailbox = { script: {} as MailboxScript }
  const answerOf = (at: NonNullable<MailboxScript['refuse']>['at']): Error | null => {
    const { refuse } = mailbox.script
    return refuse?.at === at ? Object.assign(new Error(refuse.text), { responseCode: refuse.code }) : null
  }
  const server = new SMTPServer({
    ...tls,
    logger: false,
    disabledCommands: [...(tls.key === undefined ? ['STARTTLS'] : []), ...(login ? [] : ['AUTH'])],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === login?.username && password === login?.password
        ? done(null, { user: username })
        : done(new Error(`no login for ${username} ${password}`)),
    onMailFrom: (_address, _session, done) => done(answerOf('mail')),
    onRcptTo: (_address, _session, done) => done(answerOf('rcpt')),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refusal = answerOf('data')
        if (mailbox.script.drop) for (const connection of server.connections) connection.close()
        else if (refusal) done(refusal)
        else {
          received.push({
            from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
            to: session.envelope.rcptTo.map(({ address }) => address),
            user: session.user as string | undefined,
            secure: session.secure,
            raw: Buffer.concat(chunks).toString('utf8'),
          })
          done()
        }
      })
    },
  })
  // A client that gives up during the handshake is part of the tests.
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return Object.assign(mailbox, {
    port: (listening.address() as AddressInfo).port,
    received,
    textFor(address: string) {
      const mail = received.findLast(({ to }) => to.includes(address))
      if (!mail) throw new Error(`no mail to ${address} among ${received.length}`)
      return plainText(mail.raw)
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
}

/** The decoded text/plain part of a message. */
function plainText(raw: string): string {
  const part = /Content-Type: text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(raw)
  if (!part) throw new Error(`the mail has no plain text:\n${raw}`)
  const [whole, body] = part as unknown as [string, string]
  if (/Content-Transfer-Encoding: base64/i.test(whole)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/Content-Transfer-Encoding: quoted-printable/i.test(whole)) return body
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
