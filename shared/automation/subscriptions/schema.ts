import * as z from 'zod'
import {
  maxChannelNameCharacters,
  maxSubscriptionFields,
  maxSubscriptionRoles,
  maxSubscriptionUsers,
  maxTemplateCodeCharacters,
} from '../../kernel/limits/messages.ts'
import { exampleTimes, readOnly, stamps } from '../../platform/configured-objects/schema.ts'
import { objectRoutes } from '../../platform/http/routing/object-routes.ts'

export const subscribedEvents = ['create', 'update', 'delete'] as const
export type SubscribedEvent = (typeof subscribedEvents)[number]

const Name = z
  .string()
  .trim()
  .min(1)
  .max(maxChannelNameCharacters)
  .refine((name) => !/\p{Cc}/u.test(name), { error: 'The name may not hold control characters.' })

/** What is subscribed to, and who is notified: the same in requests and in the configuration document. */
const members = {
  table: z.string().meta({ description: 'Name of the table.' }),
  events: z.array(z.enum(subscribedEvents)).min(1).max(3),
  filter: z.record(z.string(), z.unknown()).nullish().meta({
    description:
      'Only records that match, in the grammar of lists: as they are after the change, or before a delete. `$CURRENT_USER` is who made the change.',
  }),
  fields: z
    .array(z.string())
    .min(1)
    .max(maxSubscriptionFields)
    .nullish()
    .meta({ description: 'Updates count only when one of these fields changed.' }),
  roles: z
    .array(z.string())
    .min(1)
    .max(maxSubscriptionRoles)
    .nullish()
    .meta({ description: 'Everybody with one of these roles is notified.' }),
  template: z.string().max(maxTemplateCodeCharacters).nullish().meta({
    description:
      'Code of a notification template: users are told by mail, with what a channel receives as its parameters. Without it they are told where their preferences for `subscription` say, which is the bell by default.',
  }),
  is_active: z.boolean().optional().meta({ description: 'True when left out.' }),
}

export const SubscriptionAnswer = z.object({
  id: z.int(),
  name: z.string(),
  table: z.string(),
  events: z.array(z.enum(subscribedEvents)),
  filter: z.record(z.string(), z.unknown()).nullable(),
  fields: z.array(z.string()).nullable(),
  channel_id: z.int().nullable(),
  users: z.array(z.int()).nullable(),
  roles: z.array(z.string()).nullable(),
  template: z.string().nullable(),
  is_active: z.boolean(),
  problem: z.string().nullable().meta({
    description: 'Why nothing, or not everybody, is notified: for example a channel, role or field that was removed.',
  }),
  ...stamps,
})
export type SubscriptionAnswer = z.output<typeof SubscriptionAnswer>

export const SubscriptionInput = z.strictObject({
  ...readOnly,
  problem: z.string().nullish(),
  name: Name,
  ...members,
  channel_id: z.int().min(1).nullish().meta({
    description:
      'A channel of type webhook, stream, amqp or eventbridge, which receives every change. Without users and roles.',
  }),
  users: z.array(z.int().min(1)).min(1).max(maxSubscriptionUsers).nullish().meta({
    description: 'Ids of users, who are told of changes of records that they may read.',
  }),
})
export type SubscriptionInput = z.output<typeof SubscriptionInput>

export const SubscriptionChange = SubscriptionInput.partial()
export type SubscriptionChange = z.output<typeof SubscriptionChange>

/** A subscription in the configuration document: names instead of ids. */
export const SubscriptionDocument = z.strictObject({
  name: Name,
  ...members,
  channel: z.string().nullish().meta({ description: 'Name of the channel.' }),
  users: z.array(z.email()).min(1).max(maxSubscriptionUsers).nullish().meta({ description: 'Addresses of users.' }),
})
export type SubscriptionDocument = z.output<typeof SubscriptionDocument>

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
  ...exampleTimes,
  version: 1,
}

const demo = { ...answer, id: 1, name: 'Requests to the stream', filter: null, fields: null }

export const subscriptionRoutes = objectRoutes({
  path: '/api/sys/subscriptions',
  tag: 'Subscriptions',
  called: { one: 'subscription', many: 'subscriptions' },
  answer: SubscriptionAnswer,
  input: SubscriptionInput,
  change: SubscriptionChange,
  says: {
    create: {
      summary: 'Subscribe to changes of a table',
      description:
        'Tells each create, update or delete of a record that matches, once, after the operation has committed. A channel receives `{ event, model, id, version, changes, record, actor }` with all fields, as a delivery; `record` is as the change left it, for a delete as it was before. Deliveries may arrive out of order: `version` tells. People, by `users` and `roles`, are told of records that they may read: by mail with a `template`, else where their preferences for `subscription` say. A taken name is 409.',
    },
    change: {
      description:
        'Members that are left out stay; null clears `filter`, `fields`, `channel_id`, `users`, `roles` or `template`. `version`, when given, must be the current one (412).',
    },
    remove: { description: 'What it asked to send before is still delivered.' },
  },
  examples: { create: { body: urgent, answer }, stored: demo, change: { is_active: false } },
})
