import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { fileDuePartitions } from '../keys/files.ts'
import { jobDuePartitions } from '../keys/jobs.ts'
import { dueAtOf } from '../keys/key.ts'
import { deliveryDuePartitions, intentDuePartitions } from '../keys/messages/deliveries.ts'
import { mailboxDuePartitions } from '../keys/messages/mailbox.ts'
import { processDuePartitions } from '../keys/processes.ts'
import { hooksDuePartitions, cleanupDuePartitions, countDuePartitions } from '../keys/records.ts'
import { dueSlot, slotSort } from '../slots.ts'
import type { Store } from '../store.ts'
import { dueItems } from './due-items.ts'
import { type DueKind, dueKinds } from './due-kinds.ts'

/** Where the rows of each kind stand. */
export const duePartitionsOf: Readonly<Record<DueKind, readonly string[]>> = {
  cleanup: [...cleanupDuePartitions, ...countDuePartitions],
  hooks: hooksDuePartitions,
  jobs: jobDuePartitions,
  processes: processDuePartitions,
  intents: intentDuePartitions,
  deliveries: deliveryDuePartitions,
  mailboxes: mailboxDuePartitions,
  files: fileDuePartitions,
}

/** For each kind, by how many seconds the oldest item of all tenants is overdue; 0 when none is. */
export async function oldestDueSeconds({
  store,
  clock,
}: {
  store: Pick<Store, 'query'>
  clock: Pick<Clock, 'now'>
}): Promise<Map<string, number>> {
  const now = clock.now()
  const ages = await Promise.all(
    dueKinds.map(async (kind) => {
      const items = (await dueItems(store, duePartitionsOf[kind], isoTime(now), 1)).flat()
      const dueTimes = items.map((item) => Date.parse(dueAtOf(slotSort(item, dueSlot))))
      return [kind, Math.max(0, ...dueTimes.map((at) => Math.round((now - at) / 1000)))] as const
    }),
  )
  return new Map(ages)
}
