import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { jobKey } from '../store/keys/jobs.ts'
import type { Store } from '../store/store.ts'
import { answerJob, readJob, type StoredJob } from './job-row.ts'
import type { JobAnswer } from './schema.ts'

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
