import { type TakeDependencies, takeDue } from '../../../platform/store/due/take-due.ts'
import { parseProcessDue, processDuePartitions } from '../../../platform/store/keys/processes.ts'
import { dueSlot, slotSort } from '../../../platform/store/slots.ts'
import { ProcessWake } from './process-wake.ts'

/** A wake-up, and the delay until it is due. */
export interface DueProcess {
  readonly wake: ProcessWake
  readonly delaySeconds: number
}

/**
 * Takes the instances of all tenants with a timer or an unfinished command that is due within `withinMs`, oldest first, at
 * most `limit` per shard. An instance is listed once for every second at which something of it is due.
 */
export async function findDueProcesses(
  dependencies: TakeDependencies,
  limit: number,
  withinMs: number,
): Promise<DueProcess[]> {
  const now = dependencies.clock.now()
  const items = await takeDue(dependencies, processDuePartitions, limit, withinMs)
  const due = new Map<string, DueProcess>()
  for (const item of items) {
    const entry = parseProcessDue(slotSort(item, dueSlot))
    if (!entry) continue
    const delaySeconds = Math.max(0, Math.ceil((Date.parse(entry.dueAt) - now) / 1000))
    due.set(`${entry.tenant.id}#${entry.instanceId}#${delaySeconds}`, {
      wake: { v: 1, tenant_id: entry.tenant.id, instance_id: entry.instanceId },
      delaySeconds,
    })
  }
  return [...due.values()]
}
