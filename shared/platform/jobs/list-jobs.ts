import { lowerBound } from '../../kernel/collections/lower-bound.ts'
import { maxJobErrorAnswerBytes, maxJobErrorBytes, maxJobErrors } from '../../kernel/limits/imports.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { sizeOfText } from '../http/routing/answer-size.ts'
import type { Page } from '../http/routing/envelope.ts'
import { listRows } from '../listing/list-rows.ts'
import { jobKey, jobsOfStatusPartition } from '../store/keys/jobs.ts'
import { jobSlot, slotName } from '../store/slots.ts'
import type { Store } from '../store/store.ts'
import { packedBytes } from '../store/values/pack-json.ts'
import { type ListedJob, listedJobAttributes, readListedJob } from './job-row.ts'
import { type JobError, type JobHead, type JobQuery, jobStatuses } from './schema.ts'

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

/** The errors that a job lists, and how many it does not. */
interface ListedErrors {
  readonly errors: readonly JobError[]
  readonly unlistedErrors: number
}

/** Adds errors to those of a job, until its row or an answer has no room. The list has no gaps. */
export function listErrors({ errors, unlistedErrors }: ListedErrors, more: readonly JobError[]): ListedErrors {
  if (more.length === 0) return { errors, unlistedErrors }
  if (unlistedErrors > 0) return { errors, unlistedErrors: unlistedErrors + more.length }
  const all = [...errors, ...more].slice(0, maxJobErrors)
  const fits = hasRoomFor(all)
    ? all.length
    : lowerBound(errors.length + 1, all.length, (count) => hasRoomFor(all.slice(0, count))) - 1
  return { errors: all.slice(0, fits), unlistedErrors: errors.length + more.length - fits }
}

/** Adds why a job failed, which is always listed: first, and instead of others, where its row has no room for all. */
export function listReason(listed: ListedErrors, reason: JobError): ListedErrors {
  const all = listErrors(listed, [reason])
  if (all.unlistedErrors === 0) return all
  const { errors, unlistedErrors } = listErrors({ errors: [reason], unlistedErrors: 0 }, listed.errors)
  return { errors, unlistedErrors: unlistedErrors + listed.unlistedErrors }
}

// Many like errors hardly take room in the row, where they are compressed.
const hasRoomFor = (errors: readonly JobError[]): boolean =>
  sizeOfText(JSON.stringify(errors)).carried <= maxJobErrorAnswerBytes && packedBytes(errors) <= maxJobErrorBytes
