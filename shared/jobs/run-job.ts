import type { Clock } from '../kernel/clock.ts'
import { Conflict, Fault, Invalid, NotFound } from '../kernel/faults.ts'
import { log } from '../kernel/log.ts'
import type { Tenant, TenantRef } from '../kernel/tenancy.ts'
import { atRevision } from '../store/conditions.ts'
import { jobKey } from '../store/keys/jobs.ts'
import { ConditionFailed } from '../store/refusals.ts'
import type { Store } from '../store/table.ts'
import type { JobKind, JobRun, JobStep } from './define-job.ts'
import { jobItem, readJob, type StoredJob } from './job-row.ts'
import type { JobError, JobMessage } from './schema.ts'

export interface RunnerDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly jobs: { wake(tenant: TenantRef, id: number, pauseMs?: number): Promise<void> }
  readonly kinds: readonly JobKind[]
  readonly findTenant: (id: number) => Promise<Tenant | undefined>
}

/** Longer than any step; renewed before each one. */
export const leaseMs = 90_000
/** Time kept for saving, and for a step that overstays. */
const reserveMs = 20_000
/** Beyond this the step is asked to end. */
const stepMs = 10_000
const maxAttempts = 6
const firstRetryMs = 2_000
const maxErrors = 10_000

/**
 * Works on the job that a message names, step by step, until it has ended, pauses, or `remainingMs` runs short; then the
 * job wakes itself again. Whoever holds the lease works; a crash leaves the state of the last step, and the same message
 * coming again, or the sweeper, goes on from there.
 */
export async function runJob(deps: RunnerDependencies, message: JobMessage, remainingMs: () => number): Promise<void> {
  const { store, clock } = deps
  const ref = { id: message.tenant_id }
  const found = readJob(await store.get(ref, jobKey(ref, message.job_id)))
  if (!found || found.status === 'done' || found.status === 'failed') return
  if (found.lease && found.lease.untilMs > clock.now() && found.lease.wake !== message.wake) return
  let job = await save(deps, ref, { ...found, status: 'running', attempts: found.attempts + 1 }, message.wake)
  // Who rests leaves no lease, and who fails leaves attempts: anything else died in the middle of a step.
  let isRepeat = found.lease !== undefined || found.attempts > 0
  while (job) {
    const answered = await takeStep(deps, ref, job, isRepeat)
    isRepeat = false
    const next = afterStep(job, answered)
    if (next.status !== 'running') {
      await save(deps, ref, next)
      log.info('job ended', { tenant_id: ref.id, job_id: job.id, kind: job.kind, status: next.status })
      return
    }
    const pauseMs = ('state' in answered && answered.pauseMs) || 0
    const rests = pauseMs > 0 || remainingMs() < reserveMs
    job = await save(deps, ref, next, rests ? undefined : message.wake, pauseMs)
    if (!job || !rests) continue
    await deps.jobs.wake(ref, job.id, pauseMs)
    return
  }
}

/** The state stays where it was: the step is tried again. */
type Repeat = { readonly repeatAfterMs: number }

async function takeStep(
  { kinds, findTenant, clock }: RunnerDependencies,
  ref: TenantRef,
  job: StoredJob,
  isRepeat: boolean,
): Promise<JobStep<unknown>> {
  const deadline = clock.now() + stepMs
  try {
    if (job.attempts > maxAttempts) return failedFor('The job was given up: it broke off too often.')
    const kind = kinds.find((one) => one.kind === job.kind)
    if (!kind) return failedFor(`There is no kind of job ${job.kind}.`)
    const tenant = await findTenant(ref.id)
    if (!tenant) return failedFor('The tenant of this job is gone.')
    const run: JobRun = { id: job.id, tenant, actor: job.actor, isRepeat, timeIsUp: () => clock.now() >= deadline }
    return await kind.step(run, job.input, job.state)
  } catch (error) {
    if (error instanceof Fault) return failedFor(error.message, whatItNames(error))
    log.error('a step of a job failed', error, {
      tenant_id: ref.id,
      job_id: job.id,
      kind: job.kind,
      attempts: job.attempts,
    })
    return failedStep(job)
  }
}

const failedFor = (message: string, named: object = {}): JobStep<unknown> => ({
  ended: 'failed',
  errors: [{ message, ...named }],
})

/** The fields, or the record, that a fault is about, and what it came of. */
const whatItNames = (fault: Fault): object => ({
  ...(fault instanceof Invalid && { errors: fault.errors }),
  ...(fault instanceof NotFound && fault.subject),
  ...(fault instanceof Conflict && fault.cause !== undefined && { cause: String(fault.cause) }),
  ...fault.details,
})

/** Tried again from the same state after a while that doubles. */
function failedStep(job: StoredJob): JobStep<unknown> & Partial<Repeat> {
  const repeatAfterMs = firstRetryMs * 2 ** job.attempts
  return { state: job.state, pauseMs: repeatAfterMs, repeatAfterMs }
}

function afterStep(job: StoredJob, answered: JobStep<unknown> & Partial<Repeat>): StoredJob {
  const errors: readonly JobError[] = [...job.errors, ...(answered.errors ?? [])].slice(0, maxErrors)
  const progress = {
    ...job,
    done: answered.done ?? job.done + (answered.worked ?? 0),
    total: answered.total ?? job.total,
    errors,
  }
  if ('ended' in answered)
    return { ...progress, status: answered.ended, result: answered.result ?? null, lease: undefined }
  return { ...progress, state: answered.state, attempts: answered.repeatAfterMs === undefined ? 0 : job.attempts }
}

/**
 * Writes the row, unless somebody else did since it was read: then undefined. With `wake` the lease is held on; without,
 * the job is free after `pauseMs`.
 */
async function save(
  { store, clock }: RunnerDependencies,
  ref: TenantRef,
  job: StoredJob,
  wake?: string,
  pauseMs = 0,
): Promise<StoredJob | undefined> {
  const now = clock.now()
  const lease = wake === undefined ? undefined : { wake, untilMs: now + leaseMs }
  const next: StoredJob = { ...job, rev: job.rev + 1, lease }
  const dueMs = now + (lease ? leaseMs : pauseMs + leaseMs)
  try {
    await store.write(ref, {
      put: { ...jobItem(ref, next, now, dueMs), write_id: clock.uuid() },
      if: atRevision(job.rev),
    })
    return next
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    log.info('a job is in other hands', { tenant_id: ref.id, job_id: job.id })
    return undefined
  }
}
