import type { Clock } from '../../../kernel/time/clock.ts'
import type { SendGuarded } from '../../../platform/net/guarded-request.ts'
import type { OpenedChannel } from '../../channels/channel.ts'
import type { OutgoingMessage, Sender } from '../../deliveries/sender.ts'
import type { Outcome } from '../../deliveries/state/outcome.ts'
import { messageEnvelope, versionHeaders } from '../message-envelope.ts'
import { authorization } from './authorization.ts'
import { requestFailure, retryAfterMs } from './request-failure.ts'
import { signWebhook } from './webhook-signature.ts'

/** How long a receiver may take, and how much of its answer is kept. */
export const webhookLimits = { timeoutMs: 15_000, maxAnswerBytes: 2048 } as const

/**
 * Sends webhooks as Standard Webhooks defines them. Every 2xx is delivered; 410 means that the receiver is gone;
 * everything else is tried again, redirects too, because they are not followed.
 */
export function webhookSender({
  clock,
  send,
}: {
  readonly clock: Pick<Clock, 'now'>
  readonly send: SendGuarded
}): Sender<'webhook'> {
  return {
    async send(message, channel) {
      const body = messageEnvelope(message)
      try {
        const headers = headersOf(message, channel, body, clock.now())
        const answer = await send({ method: 'POST', url: channel.config.url, headers, body })
        const { status, excerpt } = answer
        return outcomeOf(status, excerpt, retryAfterMs(answer.headers['retry-after'], clock.now()))
      } catch (cause) {
        return requestFailure(cause, webhookLimits.timeoutMs)
      }
    },
  }
}

function headersOf(
  message: OutgoingMessage,
  { config, signingSecrets }: OpenedChannel<'webhook'>,
  body: string,
  nowMs: number,
): Record<string, string> {
  const { id } = message
  const timestamp = Math.floor(nowMs / 1000)
  const own = Object.entries(config.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    ...Object.fromEntries(own),
    ...versionHeaders(message),
    ...authorization(config.auth),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'entity-workflow-webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(signingSecrets.length > 0 && { 'webhook-signature': signWebhook(signingSecrets, id, timestamp, body) }),
  }
}

function outcomeOf(status: number, excerpt: string, waitMs: number | undefined): Outcome {
  const answer = { code: String(status), excerpt }
  if (status >= 200 && status < 300) return { kind: 'delivered', ...answer }
  if (status === 410) return { kind: 'gone', error: 'The receiver answered 410: it wants no more webhooks.', ...answer }
  const error =
    status >= 300 && status < 400
      ? `The receiver answered ${status}, and redirects are not followed: enter the address it redirects to.`
      : `The receiver answered ${status}.`
  return { kind: 'failed', error, ...answer, ...(waitMs !== undefined && { retryAfterMs: waitMs }) }
}
