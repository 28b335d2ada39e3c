import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Page } from '../http/routing/envelope.ts'
import { listRows } from '../listing/list-rows.ts'
import { jobKey, jobsOfStatusPartition } from '../store/keys/jobs.ts'
import { jobSlot, slotName } from '../store/slots.ts'
import type { Store } from '../store/store.ts'
import { type ListedJob, listedJobAttributes, readListedJob } from './job-row.ts'
import { type JobHead, type JobQuery, jobStatuses } from './schema.ts'

/** The sequence of the ids of jobs. */
export const jobSequence = 'sys_jobs'

/** Lists the jobs of a tenant, newest first. */
export function listJobs(
  store: Pick<Store, 'get' | 'query' | 'getMany'>,
  tenant: TenantRef,
  query: JobQuery,
): Promise<Page<JobHead>> {
  const { status, kind } = query
  return listRows<ListedJob, JobHead>(
    store,
    tenant,
    {
      name: 'jobs',
      sources: (status === undefined ? jobStatuses : [status]).map((one) => ({
        pk: jobsOfStatusPartition(tenant, one),
        index: slotName(jobSlot),
      })),
      sequence: status === undefined ? jobSequence : undefined,
      textsOf: (job) => [job.kind],
      keyOf: (id) => jobKey(tenant, id),
      attributes: listedJobAttributes,
      read: readListedJob,
      // The index may still have a job under the status that it had.
      keep: (rows) =>
        rows.filter(
          (one) => (status === undefined || one.status === status) && (kind === undefined || one.kind === kind),
        ),
      isCountable: kind === undefined,
    },
    (rows) => rows.map(describe),
    query,
  )
}

const describe = ({ userId, createdAt, updatedAt, ...job }: ListedJob): JobHead => ({
  ...job,
  started_by: userId === 0 ? null : userId,
  created_at: createdAt,
  updated_at: updatedAt,
})
