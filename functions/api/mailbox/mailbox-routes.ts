import { FetchedMails, TestedMailbox } from '../../../shared/messages/mailbox/schema.ts'
import {
  ListedMailbox,
  MailboxAnswer,
  MailboxCallbackQuery,
  MailboxChange,
  MailboxHealth,
  MailboxInput,
  MailboxListQuery,
  MailboxParams,
  MailboxSignIn,
  SignedInMailbox,
} from '../../../shared/messages/mailboxes/schema.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { administrator, defineRoute, type Route, signedIn } from '../../../shared/platform/http/routing/define-route.ts'
import { objectRoutes } from '../../../shared/platform/http/routing/object-routes.ts'
import { verbRoutes } from '../../../shared/platform/http/routing/verb-routes.ts'

const tag = 'Mailboxes'
const params = { id: 1 }
const sales = {
  name: 'Sales',
  address: 'sales@example.com',
  aliases: ['offers@example.com'],
  incoming: {
    protocol: 'imap' as const,
    host: 'imap.example.com',
    auth: { kind: 'password' as const, password: 'correct horse battery staple' },
  },
}
const stored = {
  id: 1,
  name: 'Sales',
  address: 'sales@example.com',
  aliases: ['offers@example.com'],
  is_enabled: true,
  incoming: {
    protocol: 'imap',
    host: 'imap.example.com',
    port: 993,
    encryption: 'ssl',
    folder: 'INBOX',
    auth: { kind: 'password', password: '********' },
  },
  channel_id: null,
  table: null,
  values: null,
  signature: null,
  is_default: false,
  problem: null,
  ...exampleTimes,
  version: 1,
}

export const mailboxObjectRoutes = objectRoutes({
  path: '/api/sys/mailboxes',
  tag,
  called: { one: 'mailbox', many: 'mailboxes' },
  answer: MailboxAnswer,
  input: MailboxInput,
  change: MailboxChange,
  params: MailboxParams,
  says: {
    list: {
      description:
        'The mailbox of the settings `IMAP_*` and `MAIL_*` first (id 0), then the others, newest first. Administrators see all members, other users `id`, `name` and `address`.',
      permission: signedIn,
      query: MailboxListQuery,
      answer: ListedMailbox,
    },
    create: {
      description:
        'Mails that arrive there become incoming messages, which say their `mailbox_id`: the service fetches them every minute, the first time all of the folder, and changes nothing there. A mail that arrives at several mailboxes is stored once, as that of the first. Rules may name mailboxes (`mailbox_ids`); where none matches, a mailbox with a `table` makes a record there, in the name of whoever saved it last. Answers leave from the address that the customer wrote to, through the channel of its mailbox. A taken name is 409.',
    },
    get: { description: 'Secrets are answered as `********`.' },
    change: {
      description:
        'What is left out stays; `incoming` is replaced as a whole, and `********` in it keeps the secret. The mailbox 0 is changed by its settings (409).',
    },
    remove: { description: 'Its messages stay. One that a rule names is 422.' },
  },
  examples: { create: { body: sales, answer: stored }, stored, change: { is_enabled: false } },
})

export const mailboxVerbs = verbRoutes(
  {
    path: '/api/sys/mailboxes/{id}',
    tag,
    permission: administrator,
    params: MailboxParams,
    answer: MailboxHealth,
    of: params,
  },
  {
    test: {
      operationId: 'testOneMailbox',
      summary: 'Test a mailbox',
      description:
        'Connects, signs in and opens the folder, and fetches nothing; also while the mailbox is disabled. 422 when that fails; the message says why.',
      answer: TestedMailbox,
      example: { answer: { ok: true as const, mailbox: 'INBOX', messages: 42 } },
    },
    fetch: {
      operationId: 'fetchOneMailbox',
      summary: 'Fetch a mailbox now',
      description:
        'Fetches new mails, oldest first. After 17 s the answer says how many are `remaining`: they are fetched in the background. 409 while the mailbox is being fetched for longer than some seconds, 422 when it is disabled or cannot be opened; the message says why.',
      answer: FetchedMails,
      example: { answer: { fetched: 12, created: 12, skipped: 0, remaining: 0 } },
    },
    health: {
      method: 'GET',
      operationId: 'getMailboxHealth',
      summary: 'See how the fetching of a mailbox fares',
      example: {
        answer: {
          last_fetched_at: '2026-11-20T07:17:00.000Z',
          last_message_at: '2026-11-20T07:14:00.000Z',
          waiting: 0,
          error: null,
        },
      },
    },
    authorize: {
      operationId: 'startMailboxSignIn',
      // Whoever signs in at the provider does so in their own name.
      refusedTo: ['impersonation'],
      summary: 'Sign in at the provider of a mailbox',
      description:
        'For `incoming.auth` with the flow `authorization_code`: open the `url` in the browser within 10 minutes and sign in as somebody who may read the mailbox. The provider leads back to `GET /api/sys/mailboxes/callback`, whose address is registered there: `<PUBLIC_URL>/api/sys/mailboxes/callback`. What the provider answers is sealed, renewed before it expires, and never shown; administrators are notified when a renewal is refused.',
      answer: MailboxSignIn,
      example: {
        answer: { url: 'https://login.microsoftonline.com/example.com/oauth2/v2.0/authorize?client_id=6731de76' },
      },
    },
  },
)

export const finishMailboxSignIn = defineRoute({
  method: 'GET',
  path: '/api/sys/mailboxes/callback',
  operationId: 'completeMailboxSignIn',
  tag,
  summary: 'Return from the provider of a mailbox',
  description:
    'The provider leads the browser here. It works once, in the browser in which the sign-in began, or with the token of the administrator who began it; else 401. 422 says what the provider refused. A browser, which accepts `text/html`, gets the same as a page.',
  open: true,
  takesToken: true,
  alsoFails: [401],
  query: MailboxCallbackQuery,
  answer: SignedInMailbox,
  example: {
    query: { state: 'N2Fj', code: '4/0AX' },
    answer: {
      mailbox_id: 1,
      address: 'sales@example.com',
      message: 'The mailbox Sales is connected. You can close this page.',
    },
  },
})

export const mailboxRoutes: readonly Route[] = [
  ...Object.values(mailboxObjectRoutes),
  ...Object.values(mailboxVerbs),
  finishMailboxSignIn,
]
