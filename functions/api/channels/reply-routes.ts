import { FilledSnippet, FilledTemplate, ReplyOptions } from '../../../shared/automation/replies/schema.ts'
import { RetriedReply } from '../../../shared/messages/deliveries/schema.ts'
import { defineRoute, onTable, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf, RecordParams } from '../../../shared/platform/http/routing/input/path-params.ts'

const tag = 'Comments'
const params = { model: 'requests', id: 1 }
const needMore = { id: 2, name: 'Need more to go on', code: 'reply_need_more' }

export const getReplyOptions = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/{id}/reply-options',
  operationId: 'getReplyOptions',
  tag,
  summary: 'Read how a record can be answered',
  description:
    'Whom a comment with `send: "email"` or `"messenger"` reaches, what becomes of one without `send`, and which texts there are for replies. A mail goes to the Reply-To, else the sender, of the latest mail of the customer, and never to an address of your own; without one to who sent the record in the portal, or to the address in a field of the record or of its client. After a merge each customer has a conversation of their own; the default is the one whose customer wrote to the record last. A chat message goes to who wrote about it last. Who may not update the record reaches nobody.',
  permission: onTable('update'),
  params: RecordParams,
  answer: ReplyOptions,
  example: {
    params,
    answer: {
      email: { to: 'ann@northwind.example', name: 'Ann Carter' },
      messenger: null,
      default: 'none',
      from: ['support@example.com'],
      to: 'ann@northwind.example',
      cc: [],
      conversations: [
        {
          id: 1,
          kind: 'customer',
          to: 'ann@northwind.example',
          name: 'Ann Carter',
          cc: [],
          subject: null,
          last_at: null,
          is_default: true,
        },
      ],
      files: { limit_bytes: 15325341, links_days: 30 },
      templates: [needMore],
    },
  },
})

export const getFilledTemplate = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/{id}/reply-templates/{template_id}',
  operationId: 'getReplyTemplate',
  tag,
  summary: 'Fill a text for replies with the values of a record',
  description:
    'A notification template whose code begins with `reply`, in the language of whoever gets the reply. It has `record` (with the fields that you may read; a reference has those of what it names: `{{record.client_id.name}}`), `requester` (`name`, `email`), `user` (you) and `url`. Nothing is sent. It needs update on the record, row rules included.',
  permission: onTable('update'),
  params: RecordParams.extend({ template_id: idOf('notification template') }),
  answer: FilledTemplate,
  example: {
    params: { ...params, template_id: 2 },
    answer: {
      ...needMore,
      subject: 'Re: Printer on floor 2 is jammed',
      text: 'Hello Ann Carter,\n\nwhat did you do when it happened, and what did the screen say?',
      missing: [],
    },
  },
})

export const getFilledSnippet = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/{id}/snippets/{snippet_id}',
  operationId: 'getFilledSnippet',
  tag,
  summary: 'Fill a snippet with the values of a record',
  description:
    'A snippet that you may insert, of this table or of all. It has `record` (with the fields that you may read; a reference has those of what it names), `requester` (`name`, `email`; for who may update the record), `me` and `url`. Nothing is sent.',
  permission: onTable('read'),
  params: RecordParams.extend({ snippet_id: idOf('snippet') }),
  answer: FilledSnippet,
  example: {
    params: { ...params, snippet_id: 1 },
    answer: {
      id: 1,
      name: 'Ask for a picture',
      text: 'Hello Ann Carter,\n\ncould you send us a picture of it?\n\nAda Admin',
      missing: [],
    },
  },
})

export const retryReply = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/{id}/deliveries/{delivery_id}/retry',
  operationId: 'retryReply',
  tag: 'Deliveries',
  summary: 'Send a reply again',
  description:
    'Queues a comment that was sent to somebody outside and failed, or waits, at once, with all attempts of its schedule. For whoever may update the record; every other delivery is 404. One that is being sent or was delivered is 409.',
  permission: onTable('update'),
  params: RecordParams.extend({ delivery_id: idOf('delivery') }),
  answer: RetriedReply,
  alsoFails: [409],
  example: {
    params: { model: 'requests', id: 1, delivery_id: 1 },
    answer: { id: 1, status: 'queued', attempt_count: 8, next_attempt_at: '2026-11-20T08:17:00.000Z' },
  },
})

export const replyRoutes: readonly Route[] = [getReplyOptions, getFilledTemplate, getFilledSnippet, retryReply]
