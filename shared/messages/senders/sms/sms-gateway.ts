import type { Clock } from '../../../kernel/time/clock.ts'
import type { SendGuarded } from '../../../platform/net/guarded-request.ts'
import type { Outcome } from '../../deliveries/state/outcome.ts'
import { authorization } from '../http/authorization.ts'
import { requestFailure, retryAfterMs } from '../http/request-failure.ts'
import type { SmsProvider } from './sms.ts'

/** How long a gateway may take, and how much of its answer is kept. */
export const smsGatewayLimits = { timeoutMs: 15_000, maxAnswerBytes: 2048 } as const

/** What an answer of the class 4xx may be about besides the message: too late, too early, too many. */
const temporary: ReadonlySet<number> = new Set([408, 425, 429])

/**
 * Hands SMS to an HTTP gateway: `POST {id, to, text, sender_id}` in JSON. `Idempotency-Key` is the message id, the same in
 * every attempt. 2xx means that the gateway took the message, other 4xx than 408, 425 and 429 that it never will.
 */
export const smsGateway =
  ({ clock, send }: { readonly clock: Pick<Clock, 'now'>; readonly send: SendGuarded }): SmsProvider =>
  async (sms, { url, auth = { type: 'none' }, sender_id }) => {
    if (url === undefined)
      return { kind: 'failed', error: 'The channel has no config.url: set the address of its gateway.' }
    const body = JSON.stringify({ ...sms, ...(sender_id !== undefined && { sender_id }) })
    try {
      const { status, excerpt, headers } = await send({
        method: 'POST',
        url,
        headers: {
          ...authorization(auth),
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': 'entity-workflow-sms',
          'idempotency-key': sms.id,
        },
        body,
      })
      return outcomeOf(status, excerpt, retryAfterMs(headers['retry-after'], clock.now()))
    } catch (cause) {
      return requestFailure(cause, smsGatewayLimits.timeoutMs)
    }
  }

function outcomeOf(status: number, excerpt: string, waitMs: number | undefined): Outcome {
  const answer = { code: String(status), excerpt }
  if (status >= 200 && status < 300) return { kind: 'delivered', ...answer }
  if (status === 401 || status === 403)
    return { kind: 'failed', error: `The gateway answered ${status}: check auth of the channel.`, ...answer }
  const error = `The gateway answered ${status}.`
  if (status >= 400 && status < 500 && !temporary.has(status))
    return { kind: 'refused', by: 'receiver', error, ...answer }
  return { kind: 'failed', error, ...answer, ...(waitMs !== undefined && { retryAfterMs: waitMs }) }
}
