import * as z from 'zod'
import { queryId, rowListQuery } from '../../platform/http/paging/page-query.ts'
import { deliveryStatuses } from './state/delivery.ts'
import { attemptOutcomes } from './state/outcome.ts'

const Moment = z.string().meta({ format: 'date-time' })

const AttemptAnswer = z.object({
  n: z.int(),
  at: Moment,
  duration_ms: z.int().nullable(),
  outcome: z.enum(attemptOutcomes).meta({
    description: '`unknown`: the attempt was interrupted, so nobody knows whether the receiver accepted.',
  }),
  code: z.string().nullable(),
  error: z.string().nullable(),
  response_excerpt: z.string().nullable().meta({ description: 'The beginning of the answer, 2 KB at most.' }),
})
export type AttemptAnswer = z.output<typeof AttemptAnswer>

export const DeliveryHead = z.object({
  id: z.int(),
  message_id: z.string().meta({ description: 'The same in every attempt: receivers recognise a repeat by it.' }),
  channel_id: z.int().nullable().meta({
    description: 'Null when it went by the settings of the tenant, because there was no default channel.',
  }),
  channel_type: z.string(),
  recipient: z.string(),
  from: z.string().optional().meta({ description: 'Of a mail: the address that it left from, once it was attempted.' }),
  cc: z.array(z.string()).optional().meta({ description: 'Of a mail: who gets a copy.' }),
  subject: z.string().nullable(),
  body: z.string().meta({ description: 'In lists the first 500 characters.' }),
  status: z.enum(deliveryStatuses),
  attempt_count: z.int(),
  next_attempt_at: Moment.nullable(),
  created_at: Moment,
  delivered_at: Moment.nullable(),
  last_error: z.string().nullable(),
  superseded_by: z.int().optional().meta({
    description:
      'At its last attempt, the subscription had delivered this newer version of the record: the message was overtaken. The receiver was told.',
  }),
  source: z
    .object({
      model: z.string().nullable(),
      record_id: z.int().nullable(),
      hook: z.string().optional(),
      process_id: z.int().optional(),
      user_id: z.int().optional(),
      impersonator_id: z.int().optional(),
      subscription_id: z.int().optional(),
      record_version: z.int().optional().meta({ description: 'The version of the record that a subscription tells.' }),
      comment_id: z
        .int()
        .optional()
        .meta({ description: 'The comment that was sent, of a reply to somebody outside.' }),
      forward_id: z.int().optional().meta({
        description: 'The comment that forwarded messages to somebody outside, of that mail and of answers to them.',
      }),
      conversation_id: z.int().optional().meta({ description: 'The merged record whose customer the reply answers.' }),
      is_internal: z
        .literal(true)
        .optional()
        .meta({ description: 'It tells of an internal comment, or is a forward.' }),
    })
    .meta({
      description:
        'What asked for the message, and for which record. `user_id` and `impersonator_id` are both set while an administrator acted as somebody else.',
    }),
  warnings: z
    .array(z.object({ path: z.string(), code: z.literal('missing_variable'), message: z.string() }))
    .optional()
    .meta({ description: 'What its template names and nobody gave. Absent when there is nothing to warn of.' }),
})
export type DeliveryHead = z.output<typeof DeliveryHead>

export const DeliveryAnswer = DeliveryHead.extend({ attempts: z.array(AttemptAnswer) })
export type DeliveryAnswer = z.output<typeof DeliveryAnswer>

/** A reply that is sent again, as somebody sees it who may not see every delivery. */
export const RetriedReply = DeliveryHead.pick({ id: true, status: true, attempt_count: true, next_attempt_at: true })
export type RetriedReply = z.output<typeof RetriedReply>

export const DeliveryQuery = rowListQuery('recipient, subject, the beginning of the text, and the last error').extend({
  channel_id: queryId('channel_id', 'Only deliveries through this channel.'),
  status: z.enum(deliveryStatuses).optional(),
  model: z.string().optional().meta({ description: 'Only deliveries about records of this table.' }),
  record_id: queryId('record_id', 'Only deliveries about this record; needs `model`.'),
})
export type DeliveryQuery = z.output<typeof DeliveryQuery>

const Filter = {
  channel_id: z.int().min(1).optional(),
  model: z.string().optional(),
  record_id: z.int().min(1).optional().meta({ description: 'Needs `model`.' }),
}
/** Which deliveries to retry. */
export const DeliveriesRetry = z.strictObject({
  ...Filter,
  status: z.enum(['failed', 'cancelled', 'retrying']).optional().meta({ description: '`failed` when left out.' }),
})
/** Which deliveries to cancel. */
export const DeliveriesCancel = z.strictObject({
  ...Filter,
  status: z.enum(['queued', 'retrying']).optional().meta({ description: 'Both when left out.' }),
})
export type DeliveriesChange = z.output<typeof DeliveriesRetry> | z.output<typeof DeliveriesCancel>

/** The input of the job that changes many deliveries. */
export const DeliveriesJob = z.object({
  action: z.enum(['retry', 'cancel']),
  filter: z.object({ ...Filter, status: z.enum(deliveryStatuses).optional() }),
})

export const DeliveriesAccepted = z.object({ job_id: z.int() })
