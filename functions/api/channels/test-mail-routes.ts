import { TestMail, TestMailResult } from '../../../shared/messages/senders/schema.ts'
import { administrator, defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'

export const testMail = defineRoute({
  method: 'POST',
  path: '/api/sys/settings/test-email',
  operationId: 'sendTestEmail',
  tag: 'Settings',
  summary: 'Send a test mail',
  description:
    'Sends a mail at once through the default channel of type email, else through the settings `MAIL_*`, and answers what became of the attempt. The mail is a delivery: one that failed for now is tried again by itself. 422 when there is neither a channel nor settings.',
  permission: administrator,
  body: TestMail,
  answer: TestMailResult,
  example: {
    body: { to: 'ada@example.com' },
    answer: {
      delivery_id: 1,
      status: 'retrying',
      error: 'The mail server refused the login: it answered 535. Check username, password and encryption.',
    },
  },
})

export const testMailRoutes: readonly Route[] = [testMail]
