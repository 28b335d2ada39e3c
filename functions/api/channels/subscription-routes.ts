import * as z from 'zod'
import {
  SubscriptionAnswer,
  SubscriptionChange,
  SubscriptionInput,
} from '../../../shared/automation/subscriptions/schema.ts'
import { WholeListQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  administrator,
  defineRoute,
  type Route,
  noContent,
} from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/path-params.ts'

const tag = 'Subscriptions'
const oneSubscription = z.object({ id: idOf('subscription') })
const urgent = {
  name: 'Urgent requests to the stream',
  table: 'requests',
  events: ['create' as const, 'update' as const],
  filter: { priority: { _gte: 4 } },
  fields: ['priority', 'status'],
  channel_id: 1,
}
const answer = {
  ...urgent,
  id: 2,
  users: null,
  roles: null,
  template: null,
  is_active: true,
  problem: null,
  version: 1,
}

const demo = { ...answer, id: 1, name: 'Requests to the stream', filter: null, fields: null }

export const listSubscriptions = defineRoute({
  method: 'GET',
  path: '/api/sys/subscriptions',
  tag,
  summary: 'List the subscriptions',
  description: 'Newest first. Without `per_page` the list holds all of them.',
  permission: administrator,
  query: WholeListQuery,
  answer: SubscriptionAnswer,
  shape: 'page',
  example: { answer: [demo] },
})

export const createSubscription = defineRoute({
  method: 'POST',
  path: '/api/sys/subscriptions',
  tag,
  summary: 'Subscribe to changes of a table',
  description:
    'Tells each create, update or delete of a record that matches, once, after the operation has committed. A channel receives `{ event, model, id, version, changes, record, actor }` with all fields, as a delivery; `record` is as the change left it, for a delete as it was before. Deliveries may arrive out of order: `version` tells. People, by `users` and `roles`, are told of records that they may read: by mail with a `template`, else where their preferences for `subscription` say. A taken name is 409.',
  permission: administrator,
  body: SubscriptionInput,
  answer: SubscriptionAnswer,
  status: 201,
  example: { body: urgent, answer },
})

export const getSubscription = defineRoute({
  method: 'GET',
  path: '/api/sys/subscriptions/{id}',
  tag,
  summary: 'Read a subscription',
  permission: administrator,
  params: oneSubscription,
  answer: SubscriptionAnswer,
  example: { params: { id: 1 }, answer: demo },
})

export const changeSubscription = defineRoute({
  method: 'PUT',
  path: '/api/sys/subscriptions/{id}',
  tag,
  summary: 'Change a subscription',
  description:
    'Members that are left out stay; null clears `filter`, `fields`, `channel_id`, `users`, `roles` or `template`. `version`, when given, must be the current one (409).',
  permission: administrator,
  params: oneSubscription,
  body: SubscriptionChange,
  answer: SubscriptionAnswer,
  example: { params: { id: 1 }, body: { is_active: false }, answer: { ...demo, is_active: false, version: 2 } },
})

export const deleteSubscription = defineRoute({
  method: 'DELETE',
  path: '/api/sys/subscriptions/{id}',
  tag,
  summary: 'Delete a subscription',
  description: 'What it asked to send before is still delivered.',
  permission: administrator,
  params: oneSubscription,
  ...noContent,
  example: { params: { id: 1 } },
})

export const subscriptionRoutes: readonly Route[] = [
  listSubscriptions,
  createSubscription,
  getSubscription,
  changeSubscription,
  deleteSubscription,
]
