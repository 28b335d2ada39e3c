import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { type TakeDependencies, takeDue } from '../store/due/take-due.ts'
import { fairGroupOfDueJob, jobDuePartitions, jobKey, parseJobKey } from '../store/keys/jobs.ts'
import { keyOfItem } from '../store/keys/key.ts'
import { dueSlot, slotSort } from '../store/slots.ts'
import type { Store } from '../store/store.ts'
import { answerJob, readJob, type StoredJob } from './job-row.ts'
import type { JobAnswer, JobMessage } from './schema.ts'

/** The job with this id; undefined when there is none. */
export async function findJob(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  id: number,
): Promise<StoredJob | undefined> {
  return readJob(await store.get(tenant, jobKey(tenant, id)))
}

/** The job in an answer to its starter or an administrator; undefined for every other caller. */
export async function findJobFor(
  store: Pick<Store, 'get'>,
  caller: Caller,
  id: number,
): Promise<JobAnswer | undefined> {
  const job = await findJob(store, caller.tenant, id)
  return job && (caller.isAdministrator || job.actor.userId === caller.userId) ? answerJob(job) : undefined
}

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
