import type { ChangeEvent } from '../../../platform/queue/change-feed/change-event.ts'
import { type TakeDependencies, takeDue } from '../../../platform/store/due/take-due.ts'
import { hooksDuePartitions, parseDueSort } from '../../../platform/store/keys/records.ts'
import { dueSlot, slotSort } from '../../../platform/store/slots.ts'
import { sweeperEvent } from '../sweeper-event.ts'

/**
 * Takes records of any tenant with overdue pending hooks, oldest first. Answers at most `limit` per shard; the rest
 * stays due.
 */
export async function findDueHooks(dependencies: TakeDependencies, limit: number): Promise<ChangeEvent[]> {
  const due = await takeDue(dependencies, hooksDuePartitions, limit)
  return due.flatMap((item) => {
    const record = parseDueSort(slotSort(item, dueSlot))
    return record ? [sweeperEvent(record, 'update')] : []
  })
}
