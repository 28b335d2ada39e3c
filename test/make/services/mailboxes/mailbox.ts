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
  /** Answers the connection, MAIL FROM, RCPT TO or DATA with this code. */
  readonly refuse?: {
    readonly at: 'connect' | 'mail' | 'rcpt' | 'data'
    readonly code: number
    readonly text: string
    /** For so many mails; for all when undefined. */
    readonly times?: number
  }
  /** Ends the connection, after the message, without an answer. */
  readonly drop?: true
}

export interface Mailbox {
  readonly port: number
  readonly received: ReceivedMail[]
  /** How many connections were opened. */
  connections: number
  script: MailboxScript
  /** Ends all connections, as a server does with idle ones. */
  hangUp(): void
  /** The plain text of the latest mail to an address. */
  textFor(address: string): string
  close(): Promise<void>
}

export interface MailboxOptions extends Pick<SMTPServerOptions, 'key' | 'cert' | 'secure' | 'size'> {
  /** Who may log in. Without it the server offers no login. */
  readonly login?: { readonly username: string; readonly password: string }
}

export async function openMailbox({ login, ...options }: MailboxOptions = {}): Promise<Mailbox> {
  const received: ReceivedMail[] = []
  const mailbox = { script: {} as MailboxScript, connections: 0 }
  const answerOf = (at: NonNullable<MailboxScript['refuse']>['at']): Error | null => {
    const { refuse } = mailbox.script
    if (refuse?.at !== at || refuse.times === 0) return null
    mailbox.script = { refuse: { ...refuse, times: refuse.times && refuse.times - 1 } }
    return Object.assign(new Error(refuse.text), { responseCode: refuse.code })
  }
  const hangUp = (): void => {
    for (const connection of server.connections) connection.close()
  }
  const server = new SMTPServer({
    ...options,
    logger: false,
    closeTimeout: 50,
    disableReverseLookup: true,
    onConnect(_session, done) {
      mailbox.connections += 1
      done(answerOf('connect'))
    },
    disabledCommands: [...(options.key === undefined ? ['STARTTLS'] : []), ...(login ? [] : ['AUTH'])],
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
        if (mailbox.script.drop) hangUp()
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
    hangUp,
    textFor(address: string) {
      const mail = received.findLast(({ to }) => to.includes(address))
      if (!mail) throw new Error(`no mail to ${address} among ${received.length}`)
      return plainText(mail.raw)
    },
    close() {
      hangUp()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
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
