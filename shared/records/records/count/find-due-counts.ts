import type { ChangeEvent } from '../../../platform/queue/change-feed/change-event.ts'
import { type TakeDependencies, takeDue } from '../../../platform/store/due/take-due.ts'
import { dueAtOf } from '../../../platform/store/keys/key.ts'
import { countDuePartitions, parseCountDue } from '../../../platform/store/keys/records.ts'
import { dueSlot, slotSort } from '../../../platform/store/slots.ts'
import { sweeperEvent } from '../sweeper-event.ts'

/**
 * Takes the tables of all tenants in which records were created since the last look, and whose oldest such create must
 * have ended within `withinMs`: at most `limit` per shard, each with the delay until then.
 */
export async function findDueCounts(
  dependencies: TakeDependencies,
  limit: number,
  withinMs: number,
): Promise<{ readonly wake: ChangeEvent; readonly delaySeconds: number }[]> {
  const now = dependencies.clock.now()
  const due = await takeDue(dependencies, countDuePartitions, limit, withinMs)
  return due.flatMap((item) => {
    const sort = slotSort(item, dueSlot)
    const table = parseCountDue(sort)
    const delaySeconds = Math.max(0, Math.ceil((Date.parse(dueAtOf(sort)) - now) / 1000))
    return table ? [{ wake: sweeperEvent({ ...table, id: 0 }, 'create'), delaySeconds }] : []
  })
}
