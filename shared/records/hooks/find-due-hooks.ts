import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { ChangeEvent } from '../../queue/change-feed/change-event.ts'
import { dueItems } from '../../store/due/due-items.ts'
import { hooksDuePartitions, parseDueSort } from '../../store/keys/records.ts'
import { dueSlot, slotSort } from '../../store/slots.ts'
import type { Store } from '../../store/store.ts'

/**
 * Finds records of any tenant with overdue pending hooks, oldest first. Answers at most `limit` per shard; the rest
 * stays due.
 */
export async function findDueHooks(
  { store, clock }: { store: Pick<Store, 'query'>; clock: Pick<Clock, 'now'> },
  limit: number,
): Promise<ChangeEvent[]> {
  const due = await dueItems(store, hooksDuePartitions, isoTime(clock.now()), limit)
  return due.flat().flatMap((item) => {
    const record = parseDueSort(slotSort(item, dueSlot))
    if (!record) return []
    return [
      {
        v: 1,
        tenant_id: record.tenant.id,
        model: record.model,
        id: record.id,
        version: 0,
        action: 'update',
        actor: 0,
        source: 'sweeper',
      } as const,
    ]
  })
}
