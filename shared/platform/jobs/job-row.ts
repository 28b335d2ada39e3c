import type { TenantRef } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { jobDueKey, jobKey, jobsOfStatusPartition } from '../store/keys/jobs.ts'
import { idText, type Key } from '../store/keys/key.ts'
import { dueEntry, jobSlot, slotEntry } from '../store/slots.ts'
import { readJson } from '../store/values/json-attribute.ts'
import type { Item } from '../store/values/marshal.ts'
import { packedBytes, packJson, readPackedJson } from '../store/values/pack-json.ts'
import type { JobStarter } from './define-job.ts'
import { fairGroupOf } from './fair-group.ts'
import type { JobAnswer, JobError } from './schema.ts'

/** A job as stored. */
export interface StoredJob {
  readonly id: number
  readonly kind: string
  readonly status: JobAnswer['status']
  readonly done: number
  readonly total: number | null
  readonly errors: readonly JobError[]
  /** Further errors, for which the row has no room. */
  readonly unlistedErrors: number
  readonly result: unknown
  readonly input: unknown
  /** The state for the next step; undefined for the first, unless given, and once the job has ended. */
  readonly state: unknown
  readonly actor: JobStarter
  readonly createdAt: string
  /** The request that started it, for logs. */
  readonly requestId?: string
  /** Rises with every write of the row. The runner that wrote it last works on the job. */
  readonly rev: number
  /** The wake-up whose runner works on the job; no other runner may until the lease expires. */
  readonly lease?: { readonly wake: string; readonly untilMs: number }
  /** Attempts since the last progress. A job that keeps crashing its runner fails. */
  readonly attempts: number
  /** Processes that ended while they ran it, since the last progress. */
  readonly deaths: number
}

/** How long the row of an ended job is kept. */
const retentionSeconds = 30 * 24 * 60 * 60

/** The row of a job. The sweeper wakes an unfinished job at `dueMs` (Unix milliseconds). */
export function jobItem(tenant: TenantRef, job: StoredJob, nowMs: number, dueMs: number): Item & Key {
  const isOpen = job.status === 'queued' || job.status === 'running'
  return {
    ...jobKey(tenant, job.id),
    kind: 'job',
    v: 1,
    job_kind: job.kind,
    status: job.status,
    done: job.done,
    total: job.total,
    errors: packJson(job.errors),
    ...(job.unlistedErrors > 0 && { unlisted_errors: job.unlistedErrors }),
    result: packJson(job.result),
    input: packJson(job.input),
    ...(job.state !== undefined && { state: packJson(job.state) }),
    actor: JSON.stringify(job.actor),
    created_at: job.createdAt,
    ...(job.requestId !== undefined && { request_id: job.requestId }),
    updated_at: isoTime(nowMs),
    rev: job.rev,
    attempts: job.attempts,
    ...(job.deaths > 0 && { deaths: job.deaths }),
    ...slotEntry(jobSlot, jobsOfStatusPartition(tenant, job.status), idText(job.id)),
    ...(isOpen && job.lease && { lease_wake: job.lease.wake, lease_until: job.lease.untilMs }),
    ...(isOpen
      ? dueEntry(jobDueKey(isoTime(dueMs), fairGroupOf(tenant, job.actor), tenant, job.id))
      : { expires_at: Math.floor(nowMs / 1000) + retentionSeconds }),
  }
}

/** How many bytes of its row a job takes with all that can grow: what it was given, what it keeps, and what it found. */
export const grownBytes = ({ errors, result, input, state, actor }: StoredJob): number =>
  packedBytes(errors) + packedBytes(result) + packedBytes(input) + packedBytes(state) + packedBytes(actor)

/** Reads a job's row; undefined when there is none. */
export function readJob(item: Item | null | undefined): StoredJob | undefined {
  if (!item) return undefined
  return {
    id: Number(item.sk),
    kind: String(item.job_kind),
    status: item.status as StoredJob['status'],
    done: Number(item.done),
    total: item.total === null ? null : Number(item.total),
    errors: readPackedJson<JobError[]>(item, 'errors') ?? [],
    unlistedErrors: Number(item.unlisted_errors ?? 0),
    result: readPackedJson(item, 'result'),
    input: readPackedJson(item, 'input'),
    state: readPackedJson(item, 'state'),
    actor: readJson<JobStarter>(item, 'actor'),
    createdAt: String(item.created_at),
    ...(item.request_id !== undefined && { requestId: String(item.request_id) }),
    rev: Number(item.rev),
    attempts: Number(item.attempts),
    deaths: Number(item.deaths ?? 0),
    ...(item.lease_until !== undefined && {
      lease: { wake: String(item.lease_wake), untilMs: Number(item.lease_until) },
    }),
  }
}

/** What a list says of a job: not what it was given, keeps or made, which may be large. */
export interface ListedJob extends Pick<StoredJob, 'id' | 'kind' | 'status' | 'done' | 'total' | 'createdAt'> {
  readonly userId: number
  readonly updatedAt: string
}

/** The attributes that `readListedJob` reads. */
export const listedJobAttributes = [
  'pk',
  'sk',
  'job_kind',
  'status',
  'done',
  'total',
  'actor',
  'created_at',
  'updated_at',
] as const

/** Reads what a list says of a job. */
export const readListedJob = (item: Item): ListedJob => ({
  id: Number(item.sk),
  kind: String(item.job_kind),
  status: item.status as StoredJob['status'],
  done: Number(item.done),
  total: item.total === null ? null : Number(item.total),
  userId: readJson<JobStarter>(item, 'actor').userId,
  createdAt: String(item.created_at),
  updatedAt: String(item.updated_at),
})

/** A job in an answer, without what only the runner needs. */
export const answerJob = ({ id, kind, status, done, total, errors, unlistedErrors, result }: StoredJob): JobAnswer => ({
  id,
  kind,
  status,
  done,
  total,
  errors: [...errors, ...(unlistedErrors > 0 ? [{ message: `${unlistedErrors} more errors are not listed.` }] : [])],
  result: result ?? null,
})
