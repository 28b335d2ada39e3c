/** What takes the messages of a local cloud: providers within the process, and servers on loopback ports. */
import type { Storage } from '../runtime/storage/storage.ts'
import { awsQuery } from '../sdk/protocols/aws-query.ts'
import { restJson } from '../sdk/protocols/wire-protocol.ts'
import type { ProvidersOptions } from '../sdk/providers.ts'
import { openOutbox, type Outbox } from './outbox.ts'
import { openEventBridge } from './providers/eventbridge.ts'
import { openKinesis } from './providers/kinesis.ts'
import { openSes } from './providers/ses.ts'
import { openSns } from './providers/sns.ts'
import { openBotApi } from './servers/bot-api.ts'
import { openMailboxServer } from './servers/imap/mailbox-server.ts'
import { type Mailboxes, openMailboxes } from './servers/imap/mailboxes.ts'
import { openMailServer } from './servers/mail-server.ts'
import { teller, type Webhooks } from './servers/webhooks.ts'

export interface Receivers {
  readonly outbox: Outbox
  /** What somebody writes to the service by mail. */
  readonly mailboxes: Mailboxes
  /** Somebody writes to a bot. */
  readonly tellBot: ReturnType<typeof teller>
  readonly json: ProvidersOptions['json']
  readonly others: ProvidersOptions['others']
  /**
   * The environment of a function, with the mail server and the mailboxes of this machine, and the Bot API. Mails of those
   * who name no server go to the one of this machine too, unless the operator named another.
   */
  environmentOf(given: Readonly<Record<string, string>>): Readonly<Record<string, string>>
  close(): Promise<void>
}

export interface ReceiversOptions {
  readonly storage: Storage
  readonly now: () => number
  readonly log: (entry: object) => void
  /** Whether the operator named a mail server. */
  readonly hasMailServer?: boolean
}

/** Whom mails come from when the operator named no sender. */
const sender = 'service@local.test'

export async function openReceivers({
  storage,
  now,
  log,
  hasMailServer = false,
}: ReceiversOptions): Promise<Receivers> {
  const outbox = await openOutbox({ storage, now, log })
  const webhooks: Webhooks = new Map()
  const mailboxes = openMailboxes(storage, now)
  const [botApi, mailServer, mailboxServer] = await Promise.all([
    openBotApi(outbox, now, webhooks),
    openMailServer(outbox),
    openMailboxServer(mailboxes),
  ])
  const mail = { MAIL_HOST: '127.0.0.1', MAIL_PORT: String(mailServer.port), MAIL_ENCRYPTION: '' }
  return {
    outbox,
    mailboxes,
    tellBot: teller(webhooks, now),
    json: { kinesis: openKinesis(outbox), events: openEventBridge(outbox) },
    others: {
      ses: { provider: openSes(outbox), protocol: restJson({ 'POST /v2/email/outbound-emails': 'SendEmail' }) },
      sns: { provider: openSns(outbox), protocol: awsQuery },
    },
    environmentOf: (given) => ({
      // Ports differ from start to start: channels and settings say `local`.
      LOCAL_MAIL_PORT: String(mailServer.port),
      LOCAL_MAILBOX_PORT: String(mailboxServer.port),
      ...(!hasMailServer && { LOCAL_MAIL_FROM: sender }),
      ...given,
      MESSENGER_API_BASE: given['MESSENGER_API_BASE'] || `http://127.0.0.1:${botApi.port}`,
      // A template passes a parameter without a value as an empty text.
      ...(given['MAIL_HOST'] === '' && {
        ...mail,
        MAIL_FROM_ADDRESS: given['MAIL_FROM_ADDRESS'] || sender,
        // These mails reach nobody, so nobody has to open their links.
        ...(given['EMAIL_VERIFICATION'] === '' && { EMAIL_VERIFICATION: 'off' }),
      }),
    }),
    async close() {
      await Promise.all([botApi.close(), mailServer.close(), mailboxServer.close()])
    },
  }
}
