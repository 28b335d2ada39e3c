import { FilledTemplate, ReplyOptions } from '../../../shared/automation/replies/schema.ts'
import { defineRoute, onTable, onTableEither, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf, RecordParams } from '../../../shared/platform/http/routing/input/path-params.ts'
import { MentionablePeople, MentionableQuery } from '../../../shared/records/comments/schema.ts'

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
    'Whom a comment with `send: "email"` or `"messenger"` reaches, what becomes of one without `send`, and which texts there are for replies. A mail goes to the sender of the mail that made the record, else of the latest one; else to who sent it in the portal, or to the address in a field of the record or of its client. A chat message goes to who wrote about it last.',
  permission: onTable('update'),
  params: RecordParams,
  answer: ReplyOptions,
  example: {
    params,
    answer: {
      email: { to: 'ann@northwind.example', name: 'Ann Carter' },
      messenger: null,
      default: 'none',
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
    'A notification template whose code begins with `reply`, in the language of whoever gets the reply. It has `record` (with the fields that you may read; a reference has those of what it names: `{{record.client_id.name}}`), `requester` (`name`, `email`), `user` (you) and `url`. Nothing is sent.',
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

export const getMentionable = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/{id}/mentionable',
  operationId: 'getMentionablePeople',
  tag,
  summary: 'Find people to mention in a comment',
  description:
    'Those who may read the comment: with `is_internal=true` an internal one. The first ten by name; more letters in `search` find the others.',
  permission: onTableEither('comment', 'comment_internal'),
  params: RecordParams,
  query: MentionableQuery,
  answer: MentionablePeople,
  example: { params, query: { search: 'ada' }, answer: { people: [{ id: 2, name: 'Ada Lovelace' }] } },
})

export const replyRoutes: readonly Route[] = [getReplyOptions, getFilledTemplate, getMentionable]
