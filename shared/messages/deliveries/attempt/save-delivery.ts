import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { deliveryKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { atRevision } from '../../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { userRecipient } from '../expand/recipient.ts'
import { bellChannel, prepareIntent } from '../expand/write-intent.ts'
import { attemptItem } from '../rows/attempt-row.ts'
import { deliveryItem, readDelivery } from '../rows/delivery-row.ts'
import type { Delivery } from '../state/delivery.ts'
import { type Attempt, closeAttempt, type Outcome } from '../state/outcome.ts'
import { record } from '../state/transitions.ts'

/**
 * Stores a delivery with attempts of it that ended, on condition that its row is as `before`; whoever wrote an answer that
 * failed for good is notified in the bell. Answers false when the row is not as `before`: somebody else changed it.
 */
export function saveDelivery(
  { store, clock }: { readonly store: Pick<Store, 'transact' | 'write'>; readonly clock: Pick<Clock, 'now' | 'uuid'> },
  tenant: TenantRef,
  before: Delivery,
  after: Delivery,
  attempts: readonly (Attempt | undefined)[] = [],
): Promise<boolean> {
  const row = deliveryItem(tenant, after, clock.now())
  const unchanged = { if: atRevision(before.rev) }
  const further: Write[] = [
    ...attempts.flatMap((attempt) => (attempt ? [{ put: attemptItem(tenant, after, attempt) }] : [])),
    ...(after.status === 'failed' && before.status !== 'failed' ? tellAuthor(clock, tenant, after) : []),
  ]
  // A single write costs half of a transaction. Its id tells a retry whose answer was lost from somebody else's change.
  return wasApplied(
    further.length === 0
      ? store.write(tenant, { put: { ...row, write_id: clock.uuid() }, ...unchanged })
      : store.transact(tenant, [{ put: row, ...unchanged }, ...further], clock.uuid()),
  )
}

/** The notice to the author of an answer that does not arrive: who has closed the record believes that it did. */
function tellAuthor(clock: Pick<Clock, 'now' | 'uuid'>, tenant: TenantRef, failed: Delivery): Write[] {
  const { channelType, recipient, subject, lastError, source } = failed
  const { model, record_id, user_id: author, comment_id: comment } = source
  if (author === undefined || comment === undefined) return []
  const whom = channelType === 'email' ? recipient : 'the person who wrote in the chat'
  const { write } = prepareIntent(clock, tenant, {
    channel: bellChannel,
    recipients: [userRecipient(author)],
    content: {
      subject: `Your answer did not reach ${whom}`,
      body: [subject ?? '', lastError ?? '', 'Send it again when the cause is mended, or answer in another way.']
        .filter((line) => line !== '')
        .join('\n'),
      notice: { url: null, category: 'system' },
    },
    source: { model, record_id },
  })
  return [write]
}

/**
 * Records the outcome of an attempt with its delivery in one transaction, and answers the delivery after it. When
 * another attempt took the lease over, what it left stays, except that an accepted message is delivered.
 */
export async function recordAttempt(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  tenant: TenantRef,
  claimed: Delivery,
  attempt: Attempt,
  outcome: Outcome,
  schedule: readonly number[],
): Promise<Delivery> {
  const nowMs = clock.now()
  const closed = closeAttempt(attempt, outcome, nowMs)
  let current = claimed
  return retryWithJitter(clock, async (again) => {
    const after = record(current, attempt.n, outcome, { schedule, nowMs, random: clock.random })
    if (after === current) {
      await store.write(tenant, { put: attemptItem(tenant, current, closed) })
      return current
    }
    if (await saveDelivery({ store, clock }, tenant, current, after, [closed])) return after
    const item = await store.get(tenant, deliveryKey(tenant, claimed.id))
    if (!item) return after
    current = readDelivery(item)
    return again(new Error('the delivery was changed meanwhile'))
  })
}
