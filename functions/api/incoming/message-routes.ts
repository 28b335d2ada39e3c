import * as z from 'zod'
import { MessageAnswer, MessageInput, MessageQuery } from '../../../shared/messages/incoming-messages/schema.ts'
import { defineRoute, named, type Route, signedIn } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'

const tag = 'Incoming messages'
const oneMessage = z.object({ id: idOf('message') })

const input = {
  from_name: 'Ada Lovelace',
  from_email: 'ada@example.com',
  subject: 'Printer jam',
  body: 'The printer on floor 2 is jammed again.',
  payload: { priority: '3' },
}
const message = {
  id: 2,
  channel: 'api' as const,
  channel_id: null,
  mailbox_id: null,
  from_name: input.from_name,
  from_email: input.from_email,
  from_id: null,
  subject: input.subject,
  body: input.body,
  payload: input.payload,
  attachments: [],
  is_processed: true,
  is_waiting: false,
  records: [{ model: 'requests', id: 5, action_id: 1 }],
  reply_to: null,
  errors: [],
  received_at: '2026-11-20T07:17:00.000Z',
}

const received = {
  ...message,
  id: 1,
  from_name: 'Ann Carter',
  from_email: 'ann@northwind.example',
  subject: 'My monitor flickers',
  body: 'It began this morning.',
  payload: { priority: '2' },
  records: [{ model: 'requests', id: 4, action_id: 1 }],
}

export const listMessages = defineRoute({
  method: 'GET',
  path: '/api/sys/incoming_messages',
  tag,
  summary: 'List the messages that came in',
  description:
    'From the messenger, the mailbox and the API, newest first. Administrators and holders of the permission `incoming_messages.read` see all of them, everybody else what they sent themselves: from their own address, or from the chat that they linked.',
  permission: signedIn,
  query: MessageQuery,
  answer: MessageAnswer,
  shape: 'page',
  example: { query: { channel: 'api' }, answer: [received] },
})

export const getMessage = defineRoute({
  method: 'GET',
  path: '/api/sys/incoming_messages/{id}',
  tag,
  summary: 'Read a message that came in',
  permission: signedIn,
  params: oneMessage,
  answer: MessageAnswer,
  example: { params: { id: 1 }, answer: received },
})

export const receiveMessage = defineRoute({
  method: 'POST',
  path: '/api/sys/incoming_messages',
  tag,
  summary: 'Send a message in',
  description: 'The message has the channel `api`; the automatic rules for it run at once.',
  permission: named('incoming_messages', 'create'),
  body: MessageInput,
  answer: MessageAnswer,
  status: 201,
  example: {
    body: input,
    answer: { ...message, is_processed: false, is_waiting: true, records: [] },
  },
})

export const messageRoutes: readonly Route[] = [listMessages, getMessage, receiveMessage]
