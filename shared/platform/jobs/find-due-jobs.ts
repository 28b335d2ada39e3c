import type { Clock } from '../../kernel/time/clock.ts'
import { type TakeDependencies, takeDue } from '../store/due/take-due.ts'
import { fairGroupOfDueJob, jobDuePartitions, parseJobKey } from '../store/keys/jobs.ts'
import { keyOfItem } from '../store/keys/key.ts'
import { dueSlot, slotSort } from '../store/slots.ts'
import type { JobMessage } from './schema.ts'

interface DueJob {
  readonly wake: JobMessage
  /** Whose turns the job takes. */
  readonly fairGroup: string
}

/**
 * Messages that wake overdue jobs of any tenant: their runner crashed, or their message was lost. At most `limit` a
 * shard.
 */
export async function findDueJobs(
  dependencies: TakeDependencies & { readonly clock: Pick<Clock, 'uuid'> },
  limit: number,
): Promise<DueJob[]> {
  const due = await takeDue(dependencies, jobDuePartitions, limit)
  return due.flatMap((item) => {
    const job = parseJobKey(keyOfItem(item))
    if (!job) return []
    const wake = { v: 1, tenant_id: job.tenant.id, job_id: job.id, wake: dependencies.clock.uuid() } as const
    return [{ wake, fairGroup: fairGroupOfDueJob(slotSort(item, dueSlot)) }]
  })
}
