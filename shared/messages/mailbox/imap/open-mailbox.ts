import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from 'imapflow'
import { isLoopback } from '../../../kernel/addresses/ip-address.ts'
import { localMailboxHost, noLocalMailbox } from '../../../kernel/addresses/local-mailbox.ts'
import { publicAddressOf, type Resolve } from '../../../kernel/addresses/public-address.ts'
import { log } from '../../../kernel/runtime/log.ts'
import { untilAborted } from '../../../kernel/runtime/until-aborted.ts'
import type { MailboxSettings } from '../../mailboxes/mailbox-settings.ts'
import { explained, MailboxFailure } from './mailbox-failure.ts'

export interface MailboxGuard {
  /** Allows servers on this machine; for the local cloud. */
  readonly loopbackAllowed: boolean
  /** Where the mailboxes of the embedded cloud are, which settings call `local`. */
  readonly localPort?: number | undefined
  readonly resolve?: Resolve
  /** Additional trust, for tests. */
  readonly tls?: Pick<ConnectionOptions, 'ca'>
}

/** How to sign in, once tokens were fetched. */
export type Credentials = { readonly password: string } | { readonly accessToken: string }

/** What the server knows of a mail. */
export interface MailHead {
  readonly uid: number
  /** As the server says; some only estimate it. */
  readonly sizeBytes: number
  /** When the mail arrived there. */
  readonly internalDate: Date
}

/** A folder that was opened to be read. Every method throws MailboxFailure. */
export interface OpenMailbox {
  readonly uidValidity: string
  /** How many mails are in the folder. */
  readonly messages: number
  /** UIDs of a range, ascending; `sinceMs`: of mails that arrived on that day (UTC) or later. */
  uids(range: {
    readonly after: number
    readonly until?: number
    readonly sinceMs?: number
  }): Promise<readonly number[]>
  /** undefined: the mail is gone. */
  head(uid: number): Promise<MailHead | undefined>
  /** The mail, or only its headers; cut after so many bytes. undefined: the mail is gone. */
  content(uid: number, part: 'all' | 'headers', maxBytes: number): Promise<Buffer | undefined>
  /** Says goodbye, and ends the connection whether or not the server answers. */
  close(): Promise<void>
}

/** How long each of these may take. Everything together ends by the signal. */
const patience = { connectionTimeout: 10_000, greetingTimeout: 8_000, socketTimeout: 20_000 } as const
const goodbyeMs = 1_000
/** UIDs of a million mails fit on such a line. */
const maxLineLength = 16 * 1024 * 1024
/** More than any part that is asked for. A server that sends more anyway is cut off. */
const maxLiteralSize = 32 * 1024 * 1024

/**
 * Connects to the address that was checked and not to the name, which may resolve to another one the next time, signs in
 * and opens the folder, without a right to change it. The certificate must be valid for the name. Everything ends with
 * the signal. Throws MailboxFailure.
 */
export const openMailbox = (
  settings: MailboxSettings,
  credentials: Credentials,
  guard: MailboxGuard,
  signal: AbortSignal,
): Promise<OpenMailbox> => explained(settings, () => connect(settings, credentials, guard, signal))

async function connect(
  settings: MailboxSettings,
  credentials: Credentials,
  { loopbackAllowed, localPort, resolve, tls }: MailboxGuard,
  signal: AbortSignal,
): Promise<OpenMailbox> {
  const isLocal = settings.host === localMailboxHost
  if (isLocal && localPort === undefined) throw new MailboxFailure(noLocalMailbox)
  const host = isLocal ? '127.0.0.1' : settings.host
  const { username, folder } = settings
  const port = isLocal ? localPort : settings.port
  const address = await untilAborted(signal, publicAddressOf(host, { loopbackAllowed, resolve }))
  const given = isLocal ? 'none' : settings.encryption
  const encryption = given === 'unset' ? (isLoopback(address) ? 'none' : 'tls') : given
  const { ImapFlow } = await import('imapflow')
  const name = host.replace(/^\[(.*)\]$/, '$1')
  const client = new ImapFlow({
    host: address,
    port,
    ...(isIP(name) === 0 && { servername: name }),
    secure: encryption === 'ssl',
    doSTARTTLS: encryption === 'tls' ? true : encryption === 'none' ? false : undefined,
    tls,
    auth:
      'password' in credentials ? { user: username, pass: credentials.password } : { user: username, ...credentials },
    clientInfo: { name: 'entity-workflow' },
    logger: false,
    // The fewer extensions, the fewer ways to fail; and compressed answers could grow without limit.
    disableAutoIdle: true,
    disableAutoEnable: true,
    disableCompression: true,
    disableIMAP4rev2: true,
    maxLineLength,
    maxLiteralSize,
    maxResponseSize: maxLiteralSize + maxLineLength,
    ...patience,
  })
  const connection = guarded(client, signal)
  try {
    await connection.run(client.connect())
    const { uidValidity, exists } = await connection.run(client.mailboxOpen(folder, { readOnly: true }))
    return reading(settings, client, connection, { uidValidity: String(uidValidity), messages: exists })
  } catch (error) {
    connection.cut()
    throw error
  }
}

/** A connection that ends with the signal. */
function guarded(client: ImapFlow, signal: AbortSignal) {
  let failure: Error | undefined
  const cut = (): void => {
    signal.removeEventListener('abort', cut)
    client.close()
  }
  signal.addEventListener('abort', cut, { once: true })
  // What waits for the connection learns of its end by itself, but not why.
  client.on('error', (error: Error) => (failure = error))
  return {
    cut,
    async run<T>(work: Promise<T>): Promise<T> {
      try {
        return await untilAborted(signal, work)
      } catch (error) {
        throw signal.aborted ? signal.reason : (failure ?? error)
      }
    },
  }
}

function reading(
  settings: MailboxSettings,
  client: ImapFlow,
  { run, cut }: ReturnType<typeof guarded>,
  opened: Pick<OpenMailbox, 'uidValidity' | 'messages'>,
): OpenMailbox {
  async function search(query: { readonly uid: string; readonly since?: Date }): Promise<readonly number[]> {
    const found = await run(client.search(query, { uid: true }))
    if (!found) throw new MailboxFailure('The mail server could not search the folder.')
    return found
  }

  /**
   * Reads a part of a mail; undefined when the mail is gone. Servers answer nothing, only some of what was asked, or NO
   * about a mail that somebody removes at this moment.
   */
  async function fetch<T>(
    uid: number,
    query: FetchQueryObject,
    pick: (found: FetchMessageObject) => T | undefined,
  ): Promise<T | undefined> {
    const { found, refusal } = await run(client.fetchOne(String(uid), { uid: true, ...query }, { uid: true })).then(
      (answer) => ({ found: answer, refusal: undefined }),
      (error: Error & { readonly responseStatus?: string }) => {
        if (error.responseStatus !== 'NO') throw error
        return { found: undefined, refusal: error }
      },
    )
    const picked = found && found.uid === uid ? pick(found) : undefined
    // imapflow answers false for some that are left out.
    if (picked) return picked
    await run(client.noop())
    if ((await search({ uid: String(uid) })).length === 0) return undefined
    throw refusal ?? new MailboxFailure('The mail server left out a mail, or a part of it, that is in the folder.')
  }

  return {
    ...opened,
    uids: ({ after, until, sinceMs }) =>
      explained(settings, async () => {
        const found = await search({
          uid: `${after + 1}:${until ?? '*'}`,
          ...(sinceMs !== undefined && sinceMs > 0 && { since: new Date(sinceMs) }),
        })
        // The range `n:*` holds the last mail whatever n is.
        return found.filter((uid) => uid > after && (until === undefined || uid <= until))
      }),
    head: (uid) =>
      explained(settings, () =>
        fetch(uid, { size: true, internalDate: true }, ({ size = 0, internalDate }) => ({
          uid,
          sizeBytes: size,
          internalDate: dateOf(internalDate),
        })),
      ),
    content: (uid, part, maxBytes) =>
      explained(settings, () => {
        const cutAt = { start: 0, maxLength: maxBytes }
        return part === 'headers'
          ? fetch(uid, { bodyParts: [{ key: 'header', ...cutAt }] }, ({ headers }) => headers)
          : fetch(uid, { source: cutAt }, ({ source }) => source)
      }),
    async close() {
      try {
        await untilAborted(AbortSignal.timeout(goodbyeMs), client.logout())
      } catch (cause) {
        log.debug('a mail server did not say goodbye', { cause: String(cause) })
      } finally {
        cut()
      }
    },
  }
}

/** imapflow answers the text when it is no date. */
function dateOf(value: Date | string | undefined): Date {
  const date = value instanceof Date ? value : new Date(value ?? 0)
  return Number.isNaN(date.getTime()) ? new Date(0) : date
}
