import { isoTime, type Clock } from '../kernel/clock.ts'
import { jobDuePartition, jobDueShards, parseJobKey, type Key } from '../store/keys/records.ts'
import { jobDueSlot, slotName } from '../store/slots.ts'
import { deploymentWide, type Store } from '../store/table.ts'
import type { JobMessage } from './schema.ts'

/** Wake-ups for jobs of any tenant that should have gone on by now: their runner died, or their message got lost. */
export async function findDueJobs(
  { store, clock }: { store: Pick<Store, 'query'>; clock: Pick<Clock, 'now' | 'uuid'> },
  limit: number,
): Promise<JobMessage[]> {
  const to = isoTime(clock.now())
  const shards = await Promise.all(
    Array.from({ length: jobDueShards }, (_, shard) =>
      store.query(deploymentWide, { pk: jobDuePartition(shard), index: slotName(jobDueSlot), to, limit }),
    ),
  )
  return shards
    .flatMap(({ items }) => items)
    .flatMap((item) => {
      const job = parseJobKey(item as unknown as Key)
      return job ? [{ v: 1, tenant_id: job.tenant.id, job_id: job.id, wake: clock.uuid() } as const] : []
    })
}
