import * as z from 'zod'
import {
  DeliveriesAccepted,
  DeliveriesCancel,
  DeliveriesRetry,
  DeliveryAnswer,
  DeliveryHead,
  DeliveryQuery,
} from '../../../shared/messages/deliveries/schema.ts'
import { administrator, defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'
import { verbRoutes } from '../../../shared/platform/http/routing/verb-routes.ts'

const tag = 'Deliveries'
const oneDelivery = z.object({ id: idOf('delivery') })
const params = { id: 1 }
const delivered = {
  id: 1,
  message_id: 'msg_0d3b7a526c1e4f8a9b1d2f5e8c7a9d10_0',
  channel_id: 1,
  channel_type: 'stream',
  recipient: 'requests',
  subject: null,
  body: '{"event":"create","model":"requests","id":1}',
  status: 'delivered' as const,
  attempt_count: 1,
  next_attempt_at: null,
  created_at: '2026-11-20T07:17:00.000Z',
  delivered_at: '2026-11-20T07:17:00.254Z',
  last_error: null,
  source: { model: 'requests', record_id: 1, subscription_id: 1 },
}
const withAttempts = {
  ...delivered,
  attempts: [
    {
      n: 1,
      at: '2026-11-20T07:17:00.180Z',
      duration_ms: 74,
      outcome: 'delivered' as const,
      code: null,
      error: null,
      response_excerpt: 'shardId-000000000000',
    },
  ],
}

const toCrm = {
  ...withAttempts,
  channel_id: 2,
  channel_type: 'webhook',
  recipient: 'https://crm.example.com/hooks',
  last_error: 'The receiver could not be reached: ECONNREFUSED.',
  attempts: [],
}

export const listDeliveries = defineRoute({
  method: 'GET',
  path: '/api/sys/deliveries',
  tag,
  summary: 'List what was sent',
  description:
    'One delivery for each recipient of each message, newest first. `record_id` needs `model`. Deliveries are kept for 90 days.',
  permission: administrator,
  query: DeliveryQuery,
  answer: DeliveryHead,
  shape: 'page',
  example: { query: { status: 'delivered' }, answer: [delivered] },
})

export const getDelivery = defineRoute({
  method: 'GET',
  path: '/api/sys/deliveries/{id}',
  tag,
  summary: 'Read a delivery with its attempts',
  permission: administrator,
  params: oneDelivery,
  answer: DeliveryAnswer,
  example: { params, answer: withAttempts },
})

export const deliveryVerbs = verbRoutes(
  {
    path: '/api/sys/deliveries/{id}',
    tag,
    permission: administrator,
    params: oneDelivery,
    alsoFails: [409],
    answer: DeliveryAnswer,
    of: params,
  },
  {
    retry: {
      summary: 'Deliver again',
      description:
        'Queues a delivery at once that waits, failed or was cancelled, with all attempts of its schedule. One that is being sent or was delivered is 409.',
      example: {
        answer: { ...toCrm, status: 'queued', delivered_at: null, next_attempt_at: '2026-11-20T08:17:00.000Z' },
      },
    },
    cancel: {
      summary: 'Cancel a delivery',
      description: 'Ends a delivery that waits. One that is being sent or has ended is 409.',
      example: { answer: { ...toCrm, status: 'cancelled', delivered_at: null } },
    },
  },
)

export const retryDeliveries = defineRoute({
  method: 'POST',
  path: '/api/sys/deliveries/retry',
  tag,
  summary: 'Deliver many again',
  description: 'Starts a job that queues all deliveries that match, and answers 202 with its id.',
  permission: administrator,
  body: DeliveriesRetry,
  answer: DeliveriesAccepted,
  accepted: DeliveriesAccepted,
  example: { body: { channel_id: 1, status: 'failed' }, answer: { job_id: 1 } },
})

export const cancelDeliveries = defineRoute({
  method: 'POST',
  path: '/api/sys/deliveries/cancel',
  tag,
  summary: 'Cancel many deliveries',
  description: 'Starts a job that cancels all waiting deliveries that match, and answers 202 with its id.',
  permission: administrator,
  body: DeliveriesCancel,
  answer: DeliveriesAccepted,
  accepted: DeliveriesAccepted,
  example: { body: { channel_id: 1 }, answer: { job_id: 13 } },
})

export const deliveryRoutes: readonly Route[] = [
  listDeliveries,
  getDelivery,
  ...Object.values(deliveryVerbs),
  retryDeliveries,
  cancelDeliveries,
]
