import { FetchedMails, TestedMailbox } from '../../../shared/messages/mailbox/schema.ts'
import { administrator, defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { mailboxRoutes } from './mailbox-routes.ts'

const tag = 'Settings'

export const fetchMailbox = defineRoute({
  method: 'POST',
  path: '/api/sys/settings/fetch-imap',
  operationId: 'fetchMailbox',
  tag,
  summary: 'Fetch the mailbox now',
  description:
    'Fetches new mails from the mailbox of the settings `IMAP_*` (else `MAIL_*`), oldest first, and creates an incoming message of each; the mailbox is also fetched every minute by itself. The first time these are all mails of the folder. A mail is stored once, whatever flags it has; flags are not changed. After 17 s the answer says how many mails are `remaining`: they are fetched in the background. 409 while the mailbox is being fetched for longer than some seconds, 422 when it is not set up or cannot be opened; the message says why.',
  permission: administrator,
  answer: FetchedMails,
  example: { answer: { fetched: 12, created: 12, skipped: 0, remaining: 0 } },
})

export const testMailbox = defineRoute({
  method: 'POST',
  path: '/api/sys/settings/test-imap',
  operationId: 'testMailbox',
  tag,
  summary: 'Test the mailbox',
  description:
    'Connects to the mailbox of the settings `IMAP_*` (else `MAIL_*`), signs in and opens the folder, and fetches nothing. 422 when that fails; the message says why: the name of the server, its certificate, the login, the folder, or what the token endpoint answered.',
  permission: administrator,
  answer: TestedMailbox,
  example: { answer: { ok: true as const, mailbox: 'INBOX', messages: 42 } },
})

export const routes: readonly Route[] = [fetchMailbox, testMailbox, ...mailboxRoutes]
