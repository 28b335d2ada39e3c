import { isoTime, type Clock } from '../kernel/clock.ts'
import { dueItems } from '../store/due-items.ts'
import { jobDuePartitions, parseJobKey } from '../store/keys/jobs.ts'
import { keyOfItem } from '../store/keys/key.ts'
import type { Store } from '../store/table.ts'
import type { JobMessage } from './schema.ts'

/** Wake-ups for jobs of any tenant that should have gone on by now: their runner died, or their message got lost. */
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
