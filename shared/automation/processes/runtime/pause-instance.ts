import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime, type Clock } from '../../../kernel/time/clock.ts'
import { keyOfItem } from '../../../platform/store/keys/key.ts'
import { commandRowsPrefix, instanceRowsPartition, processDueKey } from '../../../platform/store/keys/processes.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import { dueSlot, moveInSlot, slotSort, sortedAt } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { wasApplied } from '../../../platform/store/writes/refusals.ts'
import { readCommandRows } from '../rows/command-rows.ts'

/** After how long the sweeper looks again whether the tenant was restored. */
const pauseMs = 3_600_000

/**
 * Puts off the due commands and timers of an instance for an hour, because its tenant is deleted. They leave the front
 * of the due index, so that they keep nobody else's from being found.
 */
export async function pauseInstance(
  { store, clock }: { store: Pick<Store, 'query' | 'write'>; clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
  instanceId: number,
): Promise<void> {
  const now = clock.now()
  const later = moveInSlot(dueSlot, processDueKey(isoTime(now + pauseMs), tenant, instanceId).sk)
  const rows = await readAll(store, tenant, {
    pk: instanceRowsPartition(tenant, instanceId),
    prefix: commandRowsPrefix,
  })
  for (const row of rows) {
    const { commands, timers } = readCommandRows([row])
    // Suspended rows are not in the index. The sweep that found a row has moved it there, so its own time counts.
    if ([...commands, ...timers].some((one) => one.isSuspended)) continue
    if (row.due_at !== undefined && String(row.due_at) > isoTime(now)) continue
    const due = slotSort(row, dueSlot)
    await wasApplied(
      store.write(tenant, {
        update: keyOfItem(row),
        change: { expression: `SET ${later.expression}`, values: later.values },
        if: sortedAt(dueSlot, due),
      }),
    )
  }
}
