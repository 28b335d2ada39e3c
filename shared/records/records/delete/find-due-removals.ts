import type { ChangeEvent } from '../../../platform/queue/change-feed/change-event.ts'
import { type TakeDependencies, takeDue } from '../../../platform/store/due/take-due.ts'
import { cleanupDuePartitions, parseDueSort } from '../../../platform/store/keys/records.ts'
import { dueSlot, slotSort } from '../../../platform/store/slots.ts'
import { sweeperEvent } from '../sweeper-event.ts'

/**
 * Finds overdue deletes of any tenant, oldest first: their request crashed or their queue message was lost. Answers at
 * most `limit` per shard; the rest stays due.
 */
export async function findDueRemovals(dependencies: TakeDependencies, limit: number): Promise<ChangeEvent[]> {
  const due = await takeDue(dependencies, cleanupDuePartitions, limit)
  return due.flatMap((item) => {
    const record = parseDueSort(slotSort(item, dueSlot))
    return record ? [sweeperEvent(record, 'delete')] : []
  })
}
