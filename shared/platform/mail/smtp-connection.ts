import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { publicAddressOf, type Resolve } from '../../kernel/addresses/public-address.ts'
import type { SmtpSettings } from './mail-settings.ts'

export interface SmtpOptions {
  /** Allows servers on this machine; for the local cloud. */
  readonly loopbackAllowed: boolean
  readonly resolve?: Resolve
  /** Additional trust, for tests. */
  readonly tls?: Pick<ConnectionOptions, 'ca'>
}

/** An open connection to a mail server, logged in. */
export interface SmtpConnection {
  /** Hands a message over and answers what the server said. Rejects with the error of nodemailer, or of the signal. */
  send(envelope: Envelope, message: Buffer, signal: AbortSignal): Promise<string>
  /** Whether the server still answers. */
  isAlive(signal: AbortSignal): Promise<boolean>
  /** Says goodbye. */
  quit(): void
  /** Whether the process waits for the connection. */
  hold(isHeld: boolean): void
  destroy(): void
}

export interface Envelope {
  readonly from: string
  readonly to: string
  readonly cc: readonly string[]
}

/** How far an attempt got; its errors carry it as their cause. */
type SmtpStage = 'connect' | 'login' | 'mail'

/** An error of a connection, and the step that failed. */
export class SmtpError extends Error {
  readonly stage: SmtpStage
  constructor(stage: SmtpStage, cause: unknown) {
    super(`failed at ${stage}`, { cause })
    this.stage = stage
  }
}

/** Longer than any attempt: attempts end by their signal, and what is idle is closed by the pool. */
const patience = 60_000

/**
 * Connects to the address that was checked and not to the name, which may resolve to another one the next time. The
 * certificate must be valid for the name. Throws SmtpError.
 */
export async function connectSmtp(
  settings: SmtpSettings,
  { loopbackAllowed, resolve, tls }: SmtpOptions,
  signal: AbortSignal,
): Promise<SmtpConnection> {
  const { host, port, username, password, accessToken, encryption } = settings
  let socket: Socket | undefined
  let stage: SmtpStage = 'connect'
  try {
    const address = await orAborted(publicAddressOf(host, { loopbackAllowed, resolve }), signal)
    socket = connect({ host: address, port, noDelay: true })
    await once(socket, 'connect', { signal })
    const { default: Connection } = await import('nodemailer/lib/smtp-connection')
    const client = new Connection({
      host: host.replace(/^\[(.*)\]$/, '$1'),
      port,
      connection: socket,
      secure: encryption === 'ssl',
      requireTLS: encryption === 'tls',
      ignoreTLS: encryption === 'none',
      tls,
      connectionTimeout: patience,
      greetingTimeout: patience,
      socketTimeout: patience,
      maxResponseSize: 64 * 1024,
    })
    // One that is idle may end at any time.
    client.on('error', () => {})
    await step(client, signal, (done) => client.connect(done))
    stage = 'login'
    if (accessToken !== undefined)
      await step(client, signal, (done) => client.login(bearer(username ?? '', accessToken), done))
    else if (username !== undefined)
      await step(client, signal, (done) => client.login({ credentials: { user: username, pass: password } }, done))
    return connectionOf(client, socket)
  } catch (cause) {
    socket?.destroy()
    throw new SmtpError(stage, cause)
  }
}

/** A login with an access token (https://developers.google.com/workspace/gmail/imap/xoauth2-protocol). */
const bearer = (user: string, accessToken: string): Parameters<SMTPConnection['login']>[0] =>
  ({
    user,
    method: 'XOAUTH2',
    oauth2: {
      getToken: (_isRepeat: boolean, done: (error: null, token: string) => void) => done(null, accessToken),
      buildXOAuth2Token: (token: string) =>
        Buffer.from(`user=${user}\x01auth=Bearer ${token}\x01\x01`).toString('base64'),
    },
  }) as unknown as Parameters<SMTPConnection['login']>[0]

/** `rejected`: where a server takes a mail for some of its recipients alone. */
interface Sent {
  readonly response: string
  readonly rejected?: readonly string[]
  readonly rejectedErrors?: readonly (Error & { readonly recipient?: string })[]
}

const connectionOf = (client: SMTPConnection, socket: Socket): SmtpConnection => ({
  async send({ from, to, cc }, message, signal) {
    try {
      const size = message.length
      const { response, rejected, rejectedErrors } = await step<Sent>(client, signal, (done) =>
        client.send({ from, to: [to, ...cc], size }, message, done),
      )
      // The copies have arrived; what counts is the recipient. A repeat has the same Message-ID.
      if (rejected?.includes(to))
        throw rejectedErrors?.find(({ recipient }) => recipient === to) ?? new Error('the recipient was refused')
      return rejected?.length ? `${response} (refused for: ${rejected.join(', ')})` : response
    } catch (cause) {
      throw new SmtpError('mail', cause)
    }
  },
  isAlive: (signal) =>
    step(client, signal, (done) => client.reset(done)).then(
      () => true,
      () => false,
    ),
  quit: () => client.quit(),
  hold: (isHeld) => void (isHeld ? socket.ref() : socket.unref()),
  destroy() {
    client.close()
    socket.destroy()
  },
})

/** One step of the protocol. nodemailer tells the loss of a connection by an event, or by nothing but its end. */
async function step<T>(
  client: SMTPConnection,
  signal: AbortSignal,
  start: (done: (error?: Error | null, answer?: T) => void) => void,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const ended = (): void => reject(Object.assign(new Error('the connection was closed'), { code: 'ECONNECTION' }))
  client.once('error', reject)
  client.once('end', ended)
  try {
    start((error, answer) => (error ? reject(error) : resolve(answer as T)))
    return await orAborted(promise, signal)
  } finally {
    client.off('error', reject)
    client.off('end', ended)
  }
}

/** What cannot be aborted is left behind. */
const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject)
  })
