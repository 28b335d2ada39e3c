import * as z from 'zod'
import {
  ChannelAnswer,
  ChannelChange,
  ChannelInput,
  ChannelListQuery,
  ChannelTest,
  ChannelTestResult,
  ListedChannel,
} from '../../../shared/messages/channels/schema.ts'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { administrator, defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'
import { objectRoutes } from '../../../shared/platform/http/routing/object-routes.ts'

const tag = 'Channels'
const oneChannel = z.object({ id: idOf('channel') })
const crm = {
  name: 'CRM',
  type: 'webhook' as const,
  is_default: true,
  is_enabled: true,
  config: { url: 'https://crm.example.com/hooks', auth: { type: 'bearer', token: 'sk-4711' } },
}
const stream = {
  id: 1,
  name: 'Request stream',
  direction: 'outgoing' as const,
  type: 'stream' as const,
  is_default: true,
  is_enabled: true,
  config: { provider: 'kinesis', stream_name: 'requests' },
  ...exampleTimes,
  version: 1,
}
const crmAnswer = {
  ...crm,
  id: 2,
  direction: 'outgoing' as const,
  config: { url: 'https://crm.example.com/hooks', auth: { type: 'bearer', token: '********' } },
  ...exampleTimes,
  version: 1,
}

export const channelObjectRoutes = objectRoutes({
  path: '/api/sys/channels',
  tag,
  called: { one: 'channel', many: 'channels' },
  answer: ChannelAnswer,
  input: ChannelInput,
  change: ChannelChange,
  neverWarns: true,
  says: {
    list: {
      description:
        'The channels, newest first; `direction` picks one of the two. Administrators see all members, other users `id`, `name` and `type`. Without `per_page` the list holds all of them.',
      permission: signedIn,
      query: ChannelListQuery,
      answer: ListedChannel,
    },
    create: {
      description:
        'Scripts send through channels: the default of the type they need, or the one they name. A taken name is 409.\n\nWebhooks follow Standard Webhooks: `webhook-id` is the same in every attempt, `webhook-timestamp` is that of the attempt, and with a `secret` there is a `webhook-signature` (`v1,<HMAC-SHA256>`). The body is `{ id, type, timestamp, tenant, data }`, where `type` is the table and the hook, such as `requests.after_create`. Every answer but 2xx is tried again; 410 disables the channel.\n\nRecords of streams, messages to AMQP brokers and events of buses hold the same body. A message is delivered to a broker once a queue took it and the broker confirmed it.\n\nA `messenger` channel is a bot of Telegram: its limits are kept, and texts over 4,096 characters are sent as several messages. With `direction: "incoming"` the messages that the bot receives are stored: register its webhook with `POST /api/settings/messenger/set-webhook`. An `sms` channel sends through SNS, or posts `{ id, to, text, sender_id }` to its `url` with the id as `Idempotency-Key`.',
    },
    get: { description: 'Secrets are answered as `********`.' },
    change: {
      description:
        'Members that are left out stay; `config` is replaced as a whole. A secret given as `********` stays as it is. A replaced webhook `secret` signs for 24 more hours beside the new one. Type and direction cannot change (422). Another bot in an incoming channel needs its webhook registered again. `version`, when given, must be the current one (412).',
    },
    remove: {
      description:
        'A channel that a subscription or a process names is `in_use`. Deliveries that the channel still has to make fail; they stay readable. The webhook of an incoming channel is removed.',
    },
  },
  examples: { create: { body: crm, answer: crmAnswer }, stored: stream, change: { is_enabled: false } },
})

export const testChannel = defineRoute({
  method: 'POST',
  path: '/api/sys/channels/{id}/test',
  tag,
  summary: 'Send a test message',
  description:
    'Sends a test message at once, also through a disabled channel, and answers what the receiver said. There is no retry and no delivery. A channel of type `messenger` or `sms` needs `to` (422). An incoming channel sends nothing: its bot is asked whether it exists.',
  permission: administrator,
  params: oneChannel,
  body: ChannelTest.optional(),
  answer: ChannelTestResult,
  example: { params: { id: 1 }, body: {}, answer: { ok: true } },
})

export const channelRoutes: readonly Route[] = [...Object.values(channelObjectRoutes), testChannel]
