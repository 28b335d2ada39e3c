import { NotFound } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { bellKey, bellStateKey } from '../../platform/store/keys/messages/bell.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { equals } from '../../platform/store/writes/conditions.ts'
import { isRefusal } from '../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../platform/store/writes/retry-with-jitter.ts'
import { dayOf, dayOfId, isKept, readNotification } from './bell-row.ts'
import { beginEpoch, countRead, readBellState, totalOf } from './bell-state.ts'
import { describeNotification, isUnread } from './describe-notification.ts'
import type { NotificationAnswer } from './schema.ts'

interface Dependencies {
  readonly store: Pick<Store, 'get' | 'getMany' | 'transact' | 'write'>
  readonly clock: Clock
}

/** Rows of the caller's bell, which were read with the request. */
interface BellRows {
  readonly notification: Item | null | undefined
  readonly state: Item | null | undefined
}

/** Marks a notification as read. Answers it; also when it was read before. Throws NotFound. */
export async function markRead(
  { store, clock }: Dependencies,
  { tenant, userId }: Caller,
  id: number,
  known: BellRows,
): Promise<NotificationAnswer> {
  const today = dayOf(clock.now())
  const keys = [bellKey(tenant, userId, id), bellStateKey(tenant, userId)]
  let rows: readonly (Item | null | undefined)[] = [known.notification, known.state]
  return retryWithJitter(clock, async (again) => {
    const [item, stateItem] = rows
    if (!item || !isKept(dayOfId(id), today)) throw new NotFound('notification', { id })
    const one = readNotification(item)
    const state = readBellState(stateItem, today)
    const answer = { ...describeNotification(one, state), is_read: true }
    if (!isUnread(one, state)) return answer
    try {
      await store.transact(
        tenant,
        [
          {
            update: bellKey(tenant, userId, id),
            change: { expression: 'SET is_read = :yes', values: { ':yes': true } },
            if: equals('is_read', false),
          },
          countRead(tenant, userId, state.epoch, dayOfId(id)),
        ],
        clock.uuid(),
      )
      return answer
    } catch (error) {
      if (!isRefusal(error)) throw error
      rows = await store.getMany(tenant, keys)
      return again(error)
    }
  })
}

/** Marks all notifications of the caller as read, with one write however many there are. Answers how many were unread. */
export async function markAllRead(
  { store, clock }: Dependencies,
  { tenant, userId }: Caller,
  known: BellRows['state'],
): Promise<{ readonly marked: number }> {
  const today = dayOf(clock.now())
  let item = known
  return retryWithJitter(clock, async (again) => {
    const state = readBellState(item, today)
    const marked = totalOf(state, 'unread')
    if (marked === 0) return { marked }
    try {
      await store.write(tenant, beginEpoch(tenant, userId, state))
      return { marked }
    } catch (error) {
      if (!isRefusal(error)) throw error
      item = await store.get(tenant, bellStateKey(tenant, userId))
      return again(error)
    }
  })
}
