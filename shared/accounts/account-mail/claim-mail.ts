import type { Clock } from '../../kernel/time/clock.ts'
import { accountMailKey } from '../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { below, isNew, or } from '../../platform/store/writes/conditions.ts'
import { ConditionFailed } from '../../platform/store/writes/refusals.ts'

interface Dependencies {
  readonly store: Pick<Store, 'write'>
  readonly clock: Pick<Clock, 'now'>
}

/** Longer than an attempt may take: one that crashed does not hold the mail any longer. */
const leaseMs = 90_000
/** Longer than the queue may deliver a message again. */
const keepSeconds = 5 * 86_400

/**
 * Claims a mail for one attempt, so that a message which the queue delivers twice is sent once. `settled`: it was sent or
 * given up; `busy`: another attempt is sending it.
 */
export async function claimMail({ store, clock }: Dependencies, id: string): Promise<'claimed' | 'settled' | 'busy'> {
  const now = clock.now()
  const row = {
    ...accountMailKey(id),
    kind: 'account_mail',
    v: 1,
    lease_until_ms: now + leaseMs,
    expires_at: Math.ceil(now / 1000) + keepSeconds,
  }
  try {
    await store.write(deploymentWide, { put: row, if: or(isNew, below('lease_until_ms', now)) })
    return 'claimed'
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    return error.existing?.lease_until_ms === undefined ? 'settled' : 'busy'
  }
}

/** Notes that a claimed mail needs no further attempt. */
export const settleMail = ({ store }: Dependencies, id: string): Promise<void> =>
  store.write(deploymentWide, { update: accountMailKey(id), change: { expression: 'REMOVE lease_until_ms' } })

/** Lets the next attempt claim the mail at once. */
export const releaseMail = ({ store }: Dependencies, id: string): Promise<void> =>
  store.write(deploymentWide, { remove: accountMailKey(id) })
