import { isFree } from '../../../platform/store/lease.ts'
import type { Delivery } from './delivery.ts'
import { isFinal } from './delivery.ts'
import { isErasedRecipient } from './erased-recipient.ts'
import { type Attempt, lostAttempt, openAttempt, type Outcome } from './outcome.ts'
import { delayBefore } from './schedule.ts'

/** How long an attempt may take: longer than any sender waits. Afterwards another attempt may begin. */
export const leaseMs = 60_000
/** How much the clocks of two instances may differ. */
const skewMs = 1000

/** What an attempt to claim a delivery came to. `lost`: the attempt before, whose lease expired. */
export type Claim =
  | { readonly kind: 'claimed'; readonly delivery: Delivery; readonly attempt: Attempt; readonly lost?: Attempt }
  | { readonly kind: 'exhausted'; readonly delivery: Delivery; readonly lost: Attempt }
  | { readonly kind: 'nothing to do' }

/** Whether the delivery is due: it waits for an attempt, or its last one was lost. */
export function isDue(delivery: Delivery, nowMs: number): boolean {
  const { status, nextAttemptAtMs, leaseUntilMs } = delivery
  if (delivery.isHeld) return false
  if (status === 'sending') return isFree({ untilMs: leaseUntilMs ?? 0 }, nowMs)
  return (status === 'queued' || status === 'retrying') && (nextAttemptAtMs ?? 0) <= nowMs + skewMs
}

/** Begins an attempt of a due delivery. A lost attempt counts: when it was the last one, the delivery failed. */
export function claim(delivery: Delivery, schedule: readonly number[], nowMs: number): Claim {
  if (!isDue(delivery, nowMs)) return { kind: 'nothing to do' }
  const lost =
    delivery.status === 'sending' ? lostAttempt(delivery.attemptCount, delivery.attemptedAtMs ?? nowMs) : undefined
  if (lost && attemptsMade(delivery) >= schedule.length)
    return { kind: 'exhausted', delivery: fail(delivery, String(lost.error)), lost }
  const n = delivery.attemptCount + 1
  const claimed = change(delivery, {
    status: 'sending',
    attemptCount: n,
    attemptedAtMs: nowMs,
    leaseUntilMs: nowMs + leaseMs,
  })
  return { kind: 'claimed', delivery: claimed, attempt: openAttempt(n, nowMs), ...(lost && { lost }) }
}

/**
 * Records how the nth attempt ended. A late record, whose lease another attempt has taken over, changes nothing, except
 * that a delivery the receiver accepted is delivered.
 */
export function record(
  delivery: Delivery,
  n: number,
  outcome: Outcome,
  { schedule, nowMs, random }: { schedule: readonly number[]; nowMs: number; random: () => number },
): Delivery {
  if (outcome.kind === 'delivered') {
    return delivery.status === 'delivered'
      ? delivery
      : change(delivery, { status: 'delivered', deliveredAtMs: nowMs, lastError: null })
  }
  if (delivery.status !== 'sending' || delivery.attemptCount !== n) return delivery
  if (outcome.kind !== 'failed') return fail(delivery, outcome.error)
  const delayMs = delayBefore(schedule, attemptsMade(delivery), random, outcome.retryAfterMs)
  if (delayMs === undefined) return fail(delivery, outcome.error)
  return change(delivery, { status: 'retrying', nextAttemptAtMs: nowMs + delayMs, lastError: outcome.error })
}

/** Notes during an attempt that the receiver accepted so many parts. */
export const acceptParts = (delivery: Delivery, partsAccepted: number): Delivery => ({
  ...delivery,
  partsAccepted,
  rev: delivery.rev + 1,
})

/** Ends a delivery that cannot be made, with the reason. */
export const fail = (delivery: Delivery, reason: string): Delivery =>
  change(delivery, { status: 'failed', lastError: reason })

/** Fails a delivered mail that came back; undefined when there is nothing to fail. */
export const bounce = (delivery: Delivery, reason: string): Delivery | undefined =>
  delivery.status === 'delivered' ? fail(delivery, reason) : undefined

/** Lets a waiting delivery wait until `untilMs`, without using an attempt. */
export const postpone = (delivery: Delivery, untilMs: number): Delivery =>
  change(delivery, {
    status: delivery.status === 'sending' ? 'retrying' : delivery.status,
    nextAttemptAtMs: untilMs,
  })

/** Ends a waiting delivery by hand; undefined when it is being sent or has ended. */
export const cancel = (delivery: Delivery): Delivery | undefined =>
  isFinal(delivery) || delivery.status === 'sending' ? undefined : change(delivery, { status: 'cancelled' })

/** Queues a delivery anew by hand, with a whole schedule; undefined when it is being sent, was delivered, or
 * its recipient was erased. */
export const requeue = (delivery: Delivery, nowMs: number): Delivery | undefined =>
  delivery.status === 'delivered' || delivery.status === 'sending' || isErasedRecipient(delivery.recipient)
    ? undefined
    : change(delivery, { status: 'queued', attemptsBefore: delivery.attemptCount, nextAttemptAtMs: nowMs })

const attemptsMade = ({ attemptCount, attemptsBefore }: Delivery): number => attemptCount - attemptsBefore

/** A delivery after a change, which ends its wait or its attempt. */
export const change = (delivery: Delivery, changes: Partial<Delivery>): Delivery => ({
  ...delivery,
  nextAttemptAtMs: null,
  leaseUntilMs: null,
  ...changes,
  rev: delivery.rev + 1,
})
