import { isoTime, type Clock } from '../kernel/clock.ts'
import { dueItems } from '../store/due/due-items.ts'
import { jobDuePartitions, parseJobKey } from '../store/keys/jobs.ts'
import { keyOfItem } from '../store/keys/key.ts'
import type { Store } from '../store/store.ts'
import type { JobMessage } from './schema.ts'

/**
 * Messages that wake overdue jobs of any tenant: their runner crashed, or their message was lost. At most `limit` a
 * shard.
 */
export async function findDueJobs(
  { store, clock }: { store: Pick<Store, 'query'>; clock: Pick<Clock, 'now' | 'uuid'> },
  limit: number,
): Promise<JobMessage[]> {
  const due = await dueItems(store, jobDuePartitions, isoTime(clock.now()), limit)
  return due.flat().flatMap((item) => {
    const job = parseJobKey(keyOfItem(item))
    return job ? [{ v: 1, tenant_id: job.tenant.id, job_id: job.id, wake: clock.uuid() } as const] : []
  })
}
