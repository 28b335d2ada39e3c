import { isoTime } from '../../../kernel/time/clock.ts'
import { legacyChannelId } from '../../channels/secret-name.ts'
import type { AttemptAnswer, DeliveryHead } from '../schema.ts'
import { type Delivery, messageId } from '../state/delivery.ts'
import type { Attempt } from '../state/outcome.ts'

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms))

/** A delivery in a list. */
export const describeDelivery = (delivery: Delivery): DeliveryHead => ({
  id: delivery.id,
  message_id: messageId(delivery),
  channel_id: delivery.channelId === legacyChannelId ? null : delivery.channelId,
  channel_type: delivery.channelType,
  recipient: delivery.recipient,
  ...(delivery.from !== undefined && { from: delivery.from }),
  ...(delivery.cc && { cc: [...delivery.cc] }),
  subject: delivery.subject,
  body: delivery.excerpt,
  status: delivery.status,
  attempt_count: delivery.attemptCount,
  next_attempt_at: timeOrNull(delivery.nextAttemptAtMs),
  created_at: isoTime(delivery.createdAtMs),
  delivered_at: timeOrNull(delivery.deliveredAtMs),
  last_error: delivery.lastError,
  ...(delivery.supersededBy !== undefined && { superseded_by: delivery.supersededBy }),
  source: { ...delivery.source },
  ...(delivery.missing?.length && {
    warnings: delivery.missing.map((path) => ({
      path: `template.${path}`,
      code: 'missing_variable' as const,
      message: `The template names {{${path}}}, which was not given: it is empty in the message.`,
    })),
  }),
})

/** An attempt in an answer. */
export const describeAttempt = (attempt: Attempt): AttemptAnswer => ({
  n: attempt.n,
  at: isoTime(attempt.atMs),
  duration_ms: attempt.durationMs,
  outcome: attempt.outcome,
  code: attempt.code,
  error: attempt.error,
  response_excerpt: attempt.excerpt,
})
