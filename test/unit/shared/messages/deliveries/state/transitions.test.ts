import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isFinal } from '../../../../../../shared/messages/deliveries/state/delivery.ts'
import type { Outcome } from '../../../../../../shared/messages/deliveries/state/outcome.ts'
import {
  bounce,
  cancel,
  claim,
  leaseMs,
  postpone,
  record,
  requeue,
} from '../../../../../../shared/messages/deliveries/state/transitions.ts'
import { aDelivery } from '../../../../../make/builders/messages/deliveries.ts'

const start = Date.parse('2026-11-20T08:00:00.000Z')
const schedule = [0, 5, 300]
const at = (nowMs: number) => ({ schedule, nowMs, random: () => 0.5 })
const failed: Outcome = { kind: 'failed', error: 'HTTP 500' }
const queued = aDelivery({ nextAttemptAtMs: start })
const claimedAt = (delivery: typeof queued, nowMs: number) => {
  const claimed = claim(delivery, schedule, nowMs)
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
  return claimed
}

describe('a delivery', () => {
  it('is sent, retried by the schedule, and fails after its last attempt', () => {
    const first = record(claimedAt(queued, start).delivery, 1, failed, at(start + 100))
    expect(first).toMatchObject({
      status: 'retrying',
      attemptCount: 1,
      nextAttemptAtMs: start + 5100,
      lastError: 'HTTP 500',
    })
    expect(claim(first, schedule, start + 1000).kind).toBe('nothing to do')
    const second = record(claimedAt(first, start + 5100).delivery, 2, failed, at(start + 5200))
    const third = record(claimedAt(second, start + 400_000).delivery, 3, failed, at(start + 400_100))
    expect(third).toMatchObject({ status: 'failed', attemptCount: 3, nextAttemptAtMs: null, lastError: 'HTTP 500' })
  })

  it.each<Outcome>([
    { kind: 'refused', by: 'receiver', error: 'no such mailbox' },
    { kind: 'gone', error: 'HTTP 410' },
  ])('fails at once when it is $kind', (outcome) => {
    expect(record(claimedAt(queued, start).delivery, 1, outcome, at(start))).toMatchObject({
      status: 'failed',
      lastError: outcome.kind === 'gone' ? 'HTTP 410' : 'no such mailbox',
    })
  })

  it('is delivered when the receiver accepts, and keeps no error', () => {
    const retrying = record(claimedAt(queued, start).delivery, 1, failed, at(start))
    const done = record(claimedAt(retrying, start + 9000).delivery, 2, { kind: 'delivered' }, at(start + 9500))
    expect(done).toMatchObject({
      status: 'delivered',
      deliveredAtMs: start + 9500,
      lastError: null,
      leaseUntilMs: null,
    })
  })

  it('has one attempt in flight', () => {
    const { delivery } = claimedAt(queued, start)
    expect(claim(delivery, schedule, start + leaseMs - 1).kind).toBe('nothing to do')
  })

  it('is due again when the lease of an attempt expired, whose outcome is unknown', () => {
    const { delivery } = claimedAt(queued, start)
    const again = claimedAt(delivery, start + leaseMs)
    expect(again.lost).toMatchObject({ n: 1, atMs: start, outcome: 'unknown' })
    expect(again.delivery).toMatchObject({ status: 'sending', attemptCount: 2 })
  })

  it('fails when its last attempt is lost', () => {
    const last = aDelivery({ status: 'sending', attemptCount: 3, leaseUntilMs: start, attemptedAtMs: start - leaseMs })
    expect(claim(last, schedule, start)).toMatchObject({
      kind: 'exhausted',
      delivery: { status: 'failed', lastError: expect.stringContaining('not known') },
      lost: { n: 3, outcome: 'unknown' },
    })
  })

  it('takes no late failure, but a late success', () => {
    const { delivery } = claimedAt(claimedAt(queued, start).delivery, start + leaseMs)
    expect(record(delivery, 1, failed, at(start + leaseMs))).toBe(delivery)
    expect(record(delivery, 1, { kind: 'delivered' }, at(start + leaseMs)).status).toBe('delivered')
    const done = record(delivery, 2, { kind: 'delivered' }, at(start + leaseMs))
    expect(record(done, 1, failed, at(start + leaseMs + 1))).toBe(done)
  })

  it('waits for its channel without using an attempt', () => {
    expect(postpone(queued, start + 60_000)).toMatchObject({
      status: 'queued',
      attemptCount: 0,
      nextAttemptAtMs: start + 60_000,
    })
  })

  it('fails when it comes back after it was delivered, and only then', () => {
    const sent = record(claimedAt(queued, start).delivery, 1, { kind: 'delivered' }, at(start))
    const returned = bounce(sent, 'The mail came back.')
    expect(returned).toMatchObject({ status: 'failed', lastError: 'The mail came back.', rev: sent.rev + 1 })
    expect([bounce(returned as typeof sent, 'again'), bounce(queued, 'early')]).toEqual([undefined, undefined])
  })

  it('is cancelled while it waits, and retried by hand with a whole schedule', () => {
    const { delivery } = claimedAt(queued, start)
    expect([cancel(delivery), requeue(delivery, start)]).toEqual([undefined, undefined])
    const cancelled = cancel(queued)
    expect(cancelled).toMatchObject({ status: 'cancelled', nextAttemptAtMs: null })
    expect(cancel(cancelled as typeof queued)).toBeUndefined()
    const spent = aDelivery({ status: 'failed', attemptCount: 3 })
    const again = requeue(spent, start) as typeof queued
    expect(again).toMatchObject({ status: 'queued', attemptCount: 3, nextAttemptAtMs: start })
    const retried = record(claimedAt(again, start).delivery, 4, failed, at(start))
    expect(retried).toMatchObject({ status: 'retrying', nextAttemptAtMs: start + 5000 })
    expect(requeue(record(delivery, 1, { kind: 'delivered' }, at(start)), start)).toBeUndefined()
  })

  it('ends, whatever happens, and is due exactly until then', () => {
    const outcome = fc.constantFrom<Outcome | 'crash'>(
      failed,
      'crash',
      { kind: 'delivered' },
      { kind: 'gone', error: 'x' },
    )
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 3, maxLength: 3 }), (outcomes) => {
        let [delivery, now] = [queued, start]
        for (const one of outcomes) {
          if (isFinal(delivery)) break
          now = Math.max(delivery.nextAttemptAtMs ?? 0, delivery.leaseUntilMs ?? 0)
          const claimed = claimedAt(delivery, now)
          delivery = one === 'crash' ? claimed.delivery : record(claimed.delivery, claimed.attempt.n, one, at(now))
          expect(isFinal(delivery)).toBe((delivery.nextAttemptAtMs ?? delivery.leaseUntilMs) === null)
        }
        if (delivery.status === 'sending')
          delivery = (claim(delivery, schedule, delivery.leaseUntilMs as number) as { delivery: typeof queued })
            .delivery
        expect(isFinal(delivery)).toBe(true)
        expect(delivery.status === 'delivered').toBe(
          outcomes.slice(0, delivery.attemptCount).at(-1) !== 'crash' &&
            (outcomes[delivery.attemptCount - 1] as Outcome).kind === 'delivered',
        )
      }),
    )
  })
})
