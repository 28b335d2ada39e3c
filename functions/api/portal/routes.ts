import * as z from 'zod'
import {
  AddWatchers,
  Approval,
  ApprovalsQuery,
  NewPortalRequest,
  OfferedItem,
  PortalComment,
  PortalRequestAnswer,
  PortalRequestHead,
  PortalRequestsQuery,
  RatingInput,
} from '../../../shared/automation/portal/schema.ts'
import { maxFilePathCharacters } from '../../../shared/kernel/limits/records.ts'
import { listQuery } from '../../../shared/platform/http/paging/page-query.ts'
import { defineRoute, noContent, type Route, signedIn } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'
import { RecordForm } from '../../../shared/records/records/schema.ts'
import { Download } from '../../../shared/tables/files/schema.ts'
import { articleRoutes } from './article-routes.ts'

const tag = 'Portal'
const permission = signedIn
const ofItem = z.object({ id: idOf('item') })
const ofRequest = z.object({ id: idOf('request') })
const created_at = '2026-11-20T07:17:00.000Z'

const laptop = {
  id: 1,
  name: 'A laptop',
  description: 'For new colleagues, or when yours is too old.',
  category: 'Hardware',
  icon: 'laptop',
  position: 1,
}
const item = { id: 1, name: 'A laptop', icon: 'laptop' }
const head = {
  id: 1,
  number: null,
  title: 'A laptop for Grace',
  item,
  state: 'New',
  is_closed: false,
  is_own: true,
  created_at,
}
const title = { name: 'title', label: 'Title', type: 'text', value: 'A laptop for Grace', text: null }
const request = {
  ...head,
  promised_at: null,
  actions: ['comment', 'add_watchers'],
  fields: [title],
  watchers: [],
  rating: null,
  conversation: [],
  has_more: false,
}
const comment = {
  id: 1,
  author: { name: 'Administrator', is_you: true, is_team: false },
  body: 'By Monday, please.',
  attachments: [],
  is_edited: false,
  created_at,
}

export const listItems = defineRoute({
  method: 'GET',
  path: '/api/portal/items',
  operationId: 'listOfferedItems',
  tag,
  summary: 'List what you may ask for',
  description:
    'The active items of the portal that are for you, by `position`. No permission on their tables is needed.',
  permission,
  query: listQuery(OfferedItem),
  answer: OfferedItem,
  shape: 'page',
  example: { answer: [laptop] },
})

export const getItemForm = defineRoute({
  method: 'GET',
  path: '/api/portal/items/{id}/form',
  operationId: 'getItemForm',
  tag,
  summary: 'Read what the form of an item needs',
  description:
    'As `GET /api/e/{model}/form` of a new record, with the fields of the item alone. `visible_if`, `required_if` and `readonly_if` stand in `settings` as far as they name these fields, so that a form can follow what a person types.',
  permission,
  params: ofItem,
  answer: RecordForm,
  example: {
    params: { id: 1 },
    answer: {
      model: 'requests',
      label: 'A laptop',
      id: null,
      version: null,
      fields: [
        {
          name: 'title',
          label: 'Title',
          type: 'text',
          required: true,
          readonly: false,
          visible: true,
          settings: { max_length: 200 },
        },
      ],
      transitions: [],
      data: {},
    },
  },
})

export const sendRequest = defineRoute({
  method: 'POST',
  path: '/api/portal/requests',
  operationId: 'sendPortalRequest',
  tag,
  summary: 'Send a request',
  description:
    'Makes a record of the table of the item, with hooks, history, processes and notifications, in your name. The item is the permission: only its fields are taken, and the service sets its defaults. A wrong field is 422 with a path such as `data.title`. References may name only what your roles let you read.',
  permission,
  body: NewPortalRequest,
  idempotent: true,
  answer: PortalRequestAnswer,
  status: 201,
  example: { body: { item_id: 1, data: { title: 'A laptop for Grace' } }, answer: request },
})

export const listRequests = defineRoute({
  method: 'GET',
  path: '/api/portal/requests',
  operationId: 'listPortalRequests',
  tag,
  summary: 'List your requests',
  description: 'Those that you sent, and those to which somebody added you. Newest first.',
  permission,
  query: PortalRequestsQuery,
  answer: PortalRequestHead,
  shape: 'page',
  example: { query: { state: 'open' }, answer: [head] },
})

export const getRequest = defineRoute({
  method: 'GET',
  path: '/api/portal/requests/{id}',
  operationId: 'getPortalRequest',
  tag,
  summary: 'Read a request',
  description:
    'What its item shows of it, and what was said. Nothing internal: no other field, no internal comment, and no name of who answered when the company hides them. The id is the one of the request, not of its record. The request of somebody else is 404.',
  permission,
  params: ofRequest,
  answer: PortalRequestAnswer,
  example: { params: { id: 1 }, answer: request },
})

export const commentOnRequest = defineRoute({
  method: 'POST',
  path: '/api/portal/requests/{id}/comments',
  operationId: 'createPortalComment',
  tag,
  summary: 'Comment on a request',
  description:
    'Those who take care of it are notified. Answers the request. A request that was merged into another is 409.',
  permission,
  params: ofRequest,
  body: PortalComment,
  idempotent: true,
  alsoFails: [409],
  answer: PortalRequestAnswer,
  status: 201,
  example: {
    params: { id: 1 },
    body: { body: 'By Monday, please.' },
    answer: { ...request, conversation: [comment] },
  },
})

export const reopenRequest = defineRoute({
  method: 'POST',
  path: '/api/portal/requests/{id}/reopen',
  operationId: 'reopenPortalRequest',
  tag,
  summary: 'Reopen a closed request',
  description:
    'Moves it to the `reopen_state` of its item, by a transition of the table, whose roles do not matter here. One that is open, or whose item does not allow it, is 409.',
  permission,
  params: ofRequest,
  alsoFails: [409],
  answer: PortalRequestAnswer,
  example: { params: { id: 1 }, answer: request },
})

export const rateRequest = defineRoute({
  method: 'POST',
  path: '/api/portal/requests/{id}/rating',
  operationId: 'setPortalRating',
  tag,
  summary: 'Rate a closed request',
  description:
    'By who sent it, once each time it is closed; sent again, it changes the rating. Ratings are records of the built-in table `sys_ratings`, over which administrators report. An open request is 409.',
  permission,
  params: ofRequest,
  body: RatingInput,
  alsoFails: [409],
  answer: PortalRequestAnswer,
  example: {
    params: { id: 1 },
    body: { stars: 5, comment: 'Fast and friendly.' },
    answer: {
      ...request,
      state: 'Closed',
      is_closed: true,
      actions: ['comment', 'add_watchers', 'rate'],
      rating: { stars: 5, comment: 'Fast and friendly.', rated_at: created_at },
    },
  },
})

export const addWatchers = defineRoute({
  method: 'POST',
  path: '/api/portal/requests/{id}/watchers',
  operationId: 'addPortalWatchers',
  tag,
  summary: 'Add people to a request',
  description:
    'People of your company, by id or address: they see the request in their portal, may comment, and are notified. Only who sent a request may add people (404 else).',
  permission,
  params: ofRequest,
  body: AddWatchers,
  alsoFails: [409],
  answer: PortalRequestAnswer,
  example: {
    params: { id: 1 },
    body: { emails: ['grace@example.com'] },
    answer: { ...request, watchers: [{ id: 3, name: 'Grace Hopper' }] },
  },
})

export const removeWatcher = defineRoute({
  method: 'DELETE',
  path: '/api/portal/requests/{id}/watchers/{user_id}',
  operationId: 'removePortalWatcher',
  tag,
  summary: 'Remove somebody from a request, or leave it',
  description:
    'They no longer see it in their portal, and are not notified. Who sent a request removes those who were added to it, and stays on it; who was added leaves with their own id. Everybody else is 404.',
  permission,
  params: ofRequest.extend({ user_id: idOf('user') }),
  alsoFails: [409],
  ...noContent,
  example: { params: { id: 1, user_id: 3 } },
})

export const getRequestFile = defineRoute({
  method: 'GET',
  path: '/api/portal/requests/{id}/files',
  operationId: 'getPortalFile',
  tag,
  summary: 'Get the download URL of a file of a request',
  description: 'Of a field that the item shows, or of the conversation; every other file is 404.',
  permission,
  params: ofRequest,
  query: z.object({ path: z.string().min(1).max(maxFilePathCharacters) }),
  answer: Download,
  example: {
    params: { id: 1 },
    query: { path: 'files/1/o2Yx0c7WQm1kT9vJ4pLhZr8N/offer.png' },
    answer: {
      url: 'https://bucket.s3.amazonaws.com/files/1/o2Yx0c7WQm1kT9vJ4pLhZr8N/offer.png?X-Amz-Signature=...',
      name: 'offer.png',
      content_type: 'image/png',
      size: 48213,
      expires_at: '2026-11-20T07:32:00.000Z',
    },
  },
})

export const listApprovals = defineRoute({
  method: 'GET',
  path: '/api/portal/approvals',
  tag,
  summary: 'List what waits for your decision',
  description:
    'Open tasks of processes that are assigned or offered to you and ask for an outcome, newest first, with what the item of the request shows. Decide with `POST /api/sys/process-tasks/{id}/complete { outcome }`. A new task may take up to two seconds to appear.',
  permission,
  query: ApprovalsQuery,
  answer: Approval,
  shape: 'page',
  example: { answer: [] },
})

const approval = {
  id: 1,
  name: 'May it be bought?',
  is_claimed: true,
  due_at: null,
  form: [],
  outcomes: ['approved', 'rejected'],
  created_at,
  request: {
    item,
    title: 'A laptop for Grace',
    state: 'New',
    requester: { id: 1, name: 'Administrator' },
    fields: [title],
    created_at,
  },
}

export const commentOnApproval = defineRoute({
  method: 'POST',
  path: '/api/portal/approvals/{id}/comments',
  operationId: 'createApprovalComment',
  tag,
  summary: 'Comment on what waits for your decision',
  description:
    'Before or with the decision: whoever sent the request reads it in the conversation, and is notified. No permission on the table is needed. On a record that was not made in the portal it is an internal comment. A task that does not wait for you, or is about no record, is 404.',
  permission,
  params: z.object({ id: idOf('task') }),
  body: PortalComment,
  alsoFails: [409],
  answer: Approval,
  status: 201,
  example: { params: { id: 1 }, body: { body: 'The smaller one is enough.' }, answer: approval },
})

export const routes: readonly Route[] = [
  listItems,
  getItemForm,
  sendRequest,
  listRequests,
  getRequest,
  commentOnRequest,
  reopenRequest,
  rateRequest,
  addWatchers,
  removeWatcher,
  getRequestFile,
  listApprovals,
  commentOnApproval,
  ...articleRoutes,
]
