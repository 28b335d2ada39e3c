import { isoTime, type Clock } from '../../kernel/clock.ts'
import { dueItems } from '../../store/due-items.ts'
import { parseProcessDue, processDuePartitions } from '../../store/keys/processes.ts'
import { dueSlot, slotSort } from '../../store/slots.ts'
import type { Store } from '../../store/table.ts'
import type { ProcessWake } from './wake.ts'

/** A wake-up, and how long it is to wait. */
export interface DueProcess {
  readonly wake: ProcessWake
  readonly delaySeconds: number
}

/**
 * Instances of any tenant with a timer that is due before the sweeper comes again, or with a command that nobody carried
 * out; each once for every second at which something of it is due, oldest first, at most `limit` a shard.
 */
export async function findDueProcesses(
  { store, clock }: { store: Pick<Store, 'query'>; clock: Pick<Clock, 'now'> },
  limit: number,
  aheadMs: number,
): Promise<DueProcess[]> {
  const now = clock.now()
  const items = await dueItems(store, processDuePartitions, isoTime(now + aheadMs), limit)
  const due = new Map<string, DueProcess>()
  for (const item of items.flat()) {
    const place = parseProcessDue(slotSort(item, dueSlot))
    if (!place) continue
    const delaySeconds = Math.max(0, Math.ceil((Date.parse(place.dueAt) - now) / 1000))
    due.set(`${place.tenant.id}#${place.instanceId}#${delaySeconds}`, {
      wake: { v: 1, tenant_id: place.tenant.id, instance_id: place.instanceId },
      delaySeconds,
    })
  }
  return [...due.values()]
}
