import { Conflict } from '../../kernel/failures/faults.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { bellStateKey } from '../../platform/store/keys/messages/bell.ts'
import type { Store } from '../../platform/store/store.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../platform/store/writes/refusals.ts'
import { dayOf, dayOfId, firstIdOf, isOfNotice, type Notice, notificationItem } from './bell-row.ts'
import { countNew, readBellState } from './bell-state.ts'

export interface BellDependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'transact'>
  readonly clock: Pick<Clock, 'now' | 'uuid'>
}

/** Users who are notified at the same time. */
const usersPerStep = 25
/** A notice finds another one at its id, or a new epoch, once or twice at most. */
const maxTries = 20

/**
 * Notifies users in the bell, once under each key: a repeat writes nothing. Each notification is one transaction with
 * the counts of its user; those of one user follow one another.
 */
export async function ringBell(
  services: BellDependencies,
  tenant: TenantRef,
  notices: readonly Notice[],
): Promise<void> {
  const ofUser = [...Map.groupBy(notices, ({ userId }) => userId)]
  for (let start = 0; start < ofUser.length; start += usersPerStep) {
    const some = ofUser.slice(start, start + usersPerStep)
    const states = await services.store.getMany(
      tenant,
      some.map(([userId]) => bellStateKey(tenant, userId)),
    )
    await Promise.all(
      some.map(async ([, own], index) => {
        let { epoch } = readBellState(states[index], dayOf(services.clock.now()))
        for (const notice of own) epoch = await ring(services, tenant, notice, epoch)
      }),
    )
  }
}

/** Writes one notification, and answers the epoch in which that succeeded. */
async function ring(
  { store, clock }: BellDependencies,
  tenant: TenantRef,
  notice: Notice,
  knownEpoch: number,
): Promise<number> {
  const { userId } = notice
  let epoch = knownEpoch
  let id = firstIdOf(notice)
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      await store.transact(
        tenant,
        [{ put: notificationItem(tenant, id, epoch, notice), if: isNew }, countNew(tenant, userId, epoch, dayOfId(id))],
        clock.uuid(),
      )
      return epoch
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error
      const [row, state] = error.reasons
      if (row?.failed && isOfNotice(row.existing, notice)) return epoch
      if (row?.failed) id += 1
      if (state?.failed) ({ epoch } = readBellState(state.existing, dayOfId(id)))
    }
  }
  throw new Conflict('write_conflict', 'The bell of a user changes too fast. Try again.')
}
