import { PageQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  defineRoute,
  noContent,
  onTable,
  onTableEither,
  type Route,
} from '../../../shared/platform/http/routing/define-route.ts'
import { idOf, RecordParams } from '../../../shared/platform/http/routing/input/path-params.ts'
import {
  CommentAnswer,
  CommentChange,
  CommentInput,
  ForwardInput,
  MentionablePeople,
  MentionableQuery,
  WatcherAnswer,
  WatchersInput,
} from '../../../shared/records/comments/schema.ts'

const tag = 'Comments'
const oneComment = RecordParams.extend({ comment_id: idOf('comment') })

const written = {
  id: 1,
  body: '@[2] the spare part arrives on Monday.',
  is_internal: false,
  attachments: [],
  mentions: [{ id: 2, name: 'Ada Lovelace' }],
  user: { id: 1, name: 'Administrator' },
  created_at: '2026-11-20T07:17:00.000Z',
  updated_at: '2026-11-20T07:17:00.000Z',
  is_edited: false,
  version: 1,
}
const edited = {
  ...written,
  body: '@[2] the spare part arrives on Tuesday.',
  updated_at: '2026-11-20T07:18:00.000Z',
  is_edited: true,
  version: 2,
}

export const listComments = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/{id}/comments',
  operationId: 'listComments',
  tag,
  summary: 'List the comments on a record',
  description:
    'Newest first. Internal comments need `<table>.comment_internal`; for others they do not exist, in the total either.',
  permission: onTable('read'),
  params: RecordParams,
  query: PageQuery,
  answer: CommentAnswer,
  shape: 'page',
  example: { params: { model: 'requests', id: 1 }, answer: [written] },
})

export const writeComment = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/{id}/comments',
  operationId: 'createComment',
  tag,
  summary: 'Comment on a record',
  description:
    'Needs `<table>.comment` or `<table>.update`, an internal comment `<table>.comment_internal` instead, and that the record may be read. `@[7]` in the body mentions the user 7. People who are mentioned and those who watch the record are notified, if they may read the comment. Comments go with their record; a restored record has none.',
  permission: onTableEither('comment', 'comment_internal'),
  params: RecordParams,
  body: CommentInput,
  idempotent: true,
  answer: CommentAnswer,
  status: 201,
  example: {
    params: { model: 'requests', id: 1 },
    body: { body: '@[2] the part is here.' },
    answer: { ...written, id: 2, body: '@[2] the part is here.' },
  },
})

export const forwardMessages = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/{id}/forward',
  operationId: 'forwardMessages',
  tag,
  summary: 'Forward messages to somebody outside',
  description:
    'Sends a mail with the named messages below it, and their files, to somebody who is not the customer, as a conversation of its own. It is an internal comment, and so is what is answered to it: the customer never reads either, is never answered by it, and no request waits because of it. `reply-options` lists the conversation, with a negative id, for those with `<table>.comment_internal`; a comment with `send: "email"` and this `conversation` answers in it. Needs update on the record, as a reply by mail; 422 where no mail can be sent.',
  permission: onTable('update'),
  params: RecordParams,
  body: ForwardInput,
  idempotent: true,
  answer: CommentAnswer,
  status: 201,
  example: {
    params: { model: 'requests', id: 1 },
    body: {
      to: 'service@printers.example',
      body: 'Can you have a look at this?',
      message_ids: [1],
    },
    answer: {
      ...written,
      id: 2,
      body: 'Can you have a look at this?',
      mentions: [],
      is_internal: true,
      conversation: -2,
      to: 'service@printers.example',
      forwarded: { message_ids: [1], comment_ids: [], subject: 'Fwd: Printer on floor 2 is jammed' },
    },
  },
})

export const changeComment = defineRoute({
  method: 'PUT',
  path: '/api/e/{model}/{id}/comments/{comment_id}',
  operationId: 'updateComment',
  tag,
  summary: 'Edit your comment',
  description:
    'What is left out stays. Only its author may edit a comment; what is internal before or after needs `<table>.comment_internal`, what is public `<table>.comment` or `<table>.update`. People who are newly mentioned are notified. With `If-Match`, or `version` in the body, an edit of a comment that has changed since is refused (412).',
  permission: onTableEither('comment', 'comment_internal'),
  params: oneComment,
  takesIfMatch: true,
  body: CommentChange,
  answer: CommentAnswer,
  example: {
    params: { model: 'requests', id: 1, comment_id: 1 },
    body: { body: edited.body, version: 1 },
    answer: edited,
  },
})

export const removeComment = defineRoute({
  method: 'DELETE',
  path: '/api/e/{model}/{id}/comments/{comment_id}',
  operationId: 'deleteComment',
  tag,
  summary: 'Delete your comment',
  description:
    'An administrator may delete any comment, which the trail shows. With `If-Match`, a comment that has changed since is kept (412).',
  permission: onTableEither('comment', 'comment_internal'),
  params: oneComment,
  takesIfMatch: true,
  ...noContent,
  example: { params: { model: 'requests', id: 1, comment_id: 1 } },
})

const watched = {
  watchers: [{ id: 1, name: 'Administrator', reasons: ['creator' as const, 'commenter' as const] }],
  is_watching: true,
}

const watchedByTwo = {
  watchers: [...watched.watchers, { id: 2, name: 'Ada Lovelace', reasons: ['added' as const] }],
  is_watching: true,
}

export const listWatchers = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/{id}/watchers',
  operationId: 'getWatchers',
  tag,
  summary: 'List who watches a record',
  description:
    'Watchers are notified of comments, of changes of states and of users in fields, and of deletes, where they want it. The creator of a record, the users in its fields and whoever has commented watch it by themselves, until they stop it.',
  permission: onTable('read'),
  params: RecordParams,
  answer: WatcherAnswer,
  example: { params: { model: 'requests', id: 1 }, answer: watched },
})

export const addWatchers = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/{id}/watchers',
  operationId: 'addWatchers',
  tag,
  summary: 'Watch a record, or let others watch it',
  description:
    'Without a body you watch it yourself. Other users need update on the record. At most 200 watchers may be added.',
  permission: onTable('read'),
  params: RecordParams,
  body: WatchersInput,
  answer: WatcherAnswer,
  example: { params: { model: 'requests', id: 1 }, body: { user_ids: [2] }, answer: watchedByTwo },
})

export const removeWatchers = defineRoute({
  method: 'DELETE',
  path: '/api/e/{model}/{id}/watchers',
  operationId: 'removeWatchers',
  tag,
  summary: 'Stop watching a record',
  description: 'Without a body you stop watching it yourself. For other users it needs update on the record.',
  permission: onTable('read'),
  params: RecordParams,
  body: WatchersInput,
  ...noContent,
  example: { params: { model: 'requests', id: 1 }, body: { user_ids: [2] } },
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
  example: {
    params: { model: 'requests', id: 1 },
    query: { search: 'ada' },
    answer: { people: [{ id: 2, name: 'Ada Lovelace' }] },
  },
})

export const commentRoutes: readonly Route[] = [
  listComments,
  writeComment,
  forwardMessages,
  changeComment,
  removeComment,
  listWatchers,
  addWatchers,
  removeWatchers,
  getMentionable,
]
