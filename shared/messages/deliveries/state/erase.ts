import { mask } from '../../../platform/secrets/mask.ts'
import type { Delivery } from './delivery.ts'
import { isFinal } from './delivery.ts'
import { recipientErased } from './erased-recipient.ts'
import { change } from './transitions.ts'

/**
 * A delivery to an erased person, without address and texts; one that waits, or whose attempt was lost, is cancelled. Itself
 * when that was done before; undefined while it is being sent, because the attempt writes what it learns.
 */
export function erase(delivery: Delivery, recipient: string, nowMs: number): Delivery | undefined {
  const { status, leaseUntilMs, subject, excerpt, lastError } = delivery
  const isEnded = isFinal(delivery)
  if (isEnded && delivery.recipient === recipient) return delivery
  if (status === 'sending' && (leaseUntilMs ?? 0) > nowMs) return undefined
  return change(delivery, {
    status: isEnded ? status : 'cancelled',
    recipient,
    ...(delivery.cc && { cc: [] }),
    locale: null,
    subject: subject === null ? null : mask,
    excerpt: excerpt === '' ? '' : mask,
    lastError: isEnded ? lastError && mask : recipientErased,
  })
}
