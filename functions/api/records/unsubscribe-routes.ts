import * as z from 'zod'
import { maxLinkTokenCharacters } from '../../../shared/kernel/limits/accounts.ts'
import { defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { EndedNotices } from '../../../shared/records/comments/schema.ts'

const tag = 'Comments'
const token = '1.2.requests-1.1828000000000.abcdefghijklmnopqrstuvwxyz234567'
const byLink = z.object({
  token: z.string().max(maxLinkTokenCharacters).meta({ description: 'The signed token of the link.' }),
})
const answer = {
  company: 'Demo',
  record: { label: 'Requests', number: 1, title: 'Printer on floor 2 is jammed' },
  is_of_record: true,
  is_ended: false,
}
const open = { open: true as const, alsoFails: [404, 429] as const, params: byLink, answer: EndedNotices }

export const readUnsubscribe = defineRoute({
  method: 'GET',
  path: '/api/unsubscribe/{token}',
  operationId: 'getUnsubscribe',
  tag,
  summary: 'Read what a mail lets you end',
  description:
    'What the page at `/unsubscribe/{token}` shows before it asks once. Mails about a record that somebody watches, and those of subscriptions, have this link for their reader. Reading ends nothing; a browser that opens the address is led to the page (302).',
  ...open,
  mayRedirect: true,
  example: { params: { token }, answer },
})

export const unsubscribe = defineRoute({
  method: 'POST',
  path: '/api/unsubscribe/{token}',
  operationId: 'unsubscribe',
  tag,
  summary: 'End the notices that a mail was one of',
  description:
    'Needs no sign-in: mail programs post to it by one click (RFC 8058, `List-Unsubscribe-Post`), with any body. The person is not notified of that record any more, or gets no more mails of subscriptions. A repeat changes nothing.',
  ...open,
  anyBody: true,
  example: { params: { token }, answer: { ...answer, is_ended: true } },
})

export const subscribeAgain = defineRoute({
  method: 'DELETE',
  path: '/api/unsubscribe/{token}',
  operationId: 'subscribeAgain',
  tag,
  summary: 'Take back that notices were ended',
  ...open,
  example: { params: { token }, answer },
})

export const unsubscribeRoutes: readonly Route[] = [readUnsubscribe, unsubscribe, subscribeAgain]
