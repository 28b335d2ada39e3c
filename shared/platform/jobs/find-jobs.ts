import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { DueWork } from '../store/due/due-work.ts'
import { fairGroupOfDueJob, jobDuePartitions, jobKey, parseJobKey } from '../store/keys/jobs.ts'
import { keyOfItem } from '../store/keys/key.ts'
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

/** Jobs whose runner crashed, or whose message was lost. */
export const dueJobs = ({ uuid }: Pick<Clock, 'uuid'>): DueWork<JobMessage> => ({
  kind: 'jobs',
  partitions: jobDuePartitions,
  wakeOf(_sort, row) {
    const job = parseJobKey(keyOfItem(row))
    return job && { v: 1, tenant_id: job.tenant.id, job_id: job.id, wake: uuid() }
  },
  fairGroupOf: fairGroupOfDueJob,
})
