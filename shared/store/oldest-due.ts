import { isoTime, type Clock } from '../kernel/clock.ts'
import { processDuePartition, processDueShards } from './keys/processes.ts'
import {
  afterDuePartition,
  afterDueShards,
  fileDuePartition,
  fileDueShards,
  jobDuePartition,
  jobDueShards,
  removalDuePartition,
  removalDueShards,
} from './keys/records.ts'
import { fileDueSlot, jobDueSlot, processDueSlot, removalDueSlot, slotName } from './slots.ts'
import { deploymentWide, type Store } from './table.ts'

/** Everything that waits for a moment: sort keys begin with it. A kind more is a line more, here and in `infra/monitoring/metrics.ts`. */
export const dueKinds = [
  { kind: 'cleanup', slot: removalDueSlot, partition: removalDuePartition, shards: removalDueShards },
  { kind: 'hooks', slot: removalDueSlot, partition: afterDuePartition, shards: afterDueShards },
  { kind: 'jobs', slot: jobDueSlot, partition: jobDuePartition, shards: jobDueShards },
  { kind: 'processes', slot: processDueSlot, partition: processDuePartition, shards: processDueShards },
  { kind: 'files', slot: fileDueSlot, partition: fileDuePartition, shards: fileDueShards },
] as const

/** For each kind, how many seconds ago the oldest row of any tenant should have been seen to; 0 when nothing waits. */
export async function oldestDueSeconds({
  store,
  clock,
}: {
  store: Pick<Store, 'query'>
  clock: Pick<Clock, 'now'>
}): Promise<Map<string, number>> {
  const now = clock.now()
  const ages = await Promise.all(
    dueKinds.map(async ({ kind, slot, partition, shards }) => {
      const pages = await Promise.all(
        Array.from({ length: shards }, (_, shard) =>
          store.query(deploymentWide, { pk: partition(shard), index: slotName(slot), to: isoTime(now), limit: 1 }),
        ),
      )
      const moments = pages
        .flatMap(({ items }) => items)
        .map((item) => Date.parse(String(item[`s${slotName(slot).slice(-2)}`]).split('#', 1)[0] as string))
      return [kind, Math.max(0, ...moments.map((at) => Math.round((now - at) / 1000)))] as const
    }),
  )
  return new Map(ages)
}
