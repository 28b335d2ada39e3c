import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { ChangeEvent } from '../../queue/change-feed/change-event.ts'
import { dueItems } from '../../store/due/due-items.ts'
import { cleanupDuePartitions, parseDueSort } from '../../store/keys/records.ts'
import { dueSlot, slotSort } from '../../store/slots.ts'
import type { Store } from '../../store/store.ts'
import { sweeperEvent } from '../sweeper-event.ts'

/**
 * Finds overdue deletes of any tenant, oldest first: their request crashed or their queue message was lost. Answers at
 * most `limit` per shard; the rest stays due.
 */
export async function findDueRemovals(
  { store, clock }: { store: Pick<Store, 'query'>; clock: Pick<Clock, 'now'> },
  limit: number,
): Promise<ChangeEvent[]> {
  const due = await dueItems(store, cleanupDuePartitions, isoTime(clock.now()), limit)
  return due.flat().flatMap((item) => {
    const record = parseDueSort(slotSort(item, dueSlot))
    return record ? [sweeperEvent(record, 'delete')] : []
  })
}
