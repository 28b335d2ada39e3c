import { Conflict, Fault, Invalid, NotFound } from '../../kernel/failures/faults.ts'
import { maxJobAttempts, maxJobDeaths, maxJobRowBytes } from '../../kernel/limits/imports.ts'
import { addToLogScope, log, mayFail } from '../../kernel/runtime/log.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { Throttled } from '../../kernel/throttling/throttled.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { jobKey } from '../store/keys/jobs.ts'
import { isFree } from '../store/lease.ts'
import type { Store } from '../store/store.ts'
import { atRevision } from '../store/writes/conditions.ts'
import { ConditionFailed } from '../store/writes/refusals.ts'
import type { JobKind, JobRun, JobStep } from './define-job.ts'
import { fairGroupOf } from './fair-group.ts'
import { grownBytes, jobItem, readJob, type StoredJob } from './job-row.ts'
import { listErrors, listReason } from './list-jobs.ts'
import type { JobError, JobMessage } from './schema.ts'

export interface RunnerDependencies {
  readonly store: Store
  readonly clock: Clock
  readonly jobs: { wake(tenant: TenantRef, id: number, pauseMs?: number, fairGroup?: string): Promise<void> }
  readonly kinds: readonly JobKind[]
  readonly findTenant: (id: number) => Promise<Tenant | undefined>
  /**
   * The job that this process tries again after a process ended at its last step. One at a time: if the process ends again,
   * it is known which one ended it. On AWS a process runs one job at a time anyhow.
   */
  readonly trials: Set<StoredJob['id']>
}

/** Longer than any step. The lease is renewed before each one. */
export const leaseMs = 90_000
/** Remaining time below which no further step begins: it covers saving and a step that exceeds its time. */
const reserveMs = 20_000
/** After this `timeIsUp` of a step is true. */
const stepMs = 10_000
/** After this a job lets others have its turn, and continues when theirs are over. */
const sliceMs = 30_000
const firstRetryMs = 2_000
const maxDoublings = 9
/** How long a job pauses when a provider throttled it in spite of retries. */
const throttledPauseMs = 15_000
/** How long the job of a deleted tenant pauses before it looks whether the tenant was restored. */
const deletedPauseMs = 3_600_000
/** How long a job waits for another one that is on trial. */
const trialPauseMs = 5_000

/**
 * Runs the steps of the job in a message until the job ends or pauses, its slice of time is over, or `remainingMs` is
 * short; then the job wakes itself again. Only the owner of the lease works. After a crash the redelivered message, or the sweeper, resumes from
 * the state of the last completed step; after a second one at the same step the job is set aside.
 */
export async function runJob(
  services: RunnerDependencies,
  message: JobMessage,
  remainingMs: () => number,
): Promise<void> {
  const { store, clock } = services
  const ref = { id: message.tenant_id }
  const found = readJob(await store.get(ref, jobKey(ref, message.job_id)))
  if (!found || found.status === 'done' || found.status === 'failed') return
  if (!isFree(found.lease, clock.now()) && found.lease?.wake !== message.wake) return
  // Also when the sweeper woke it.
  if (found.requestId !== undefined) addToLogScope({ request_id: found.requestId })
  // Whoever works on a job releases its lease in any end but the death of the process.
  const taken: StoredJob = { ...found, status: 'running', deaths: found.deaths + (found.lease ? 1 : 0) }
  const isTrial = taken.deaths > 0 && taken.deaths < maxJobDeaths
  if (isTrial && services.trials.size > 0) {
    if (await save(services, ref, taken, undefined, trialPauseMs)) await wakeAgain(services, ref, taken, trialPauseMs)
    return
  }
  if (isTrial) services.trials.add(taken.id)
  await runSteps(services, ref, message.wake, { ...taken, attempts: taken.attempts + 1 }, remainingMs).finally(() =>
    services.trials.delete(taken.id),
  )
}

async function runSteps(
  services: RunnerDependencies,
  ref: TenantRef,
  wake: string,
  begun: StoredJob,
  remainingMs: () => number,
): Promise<void> {
  const { clock } = services
  const endsAt = clock.now() + sliceMs
  let job = await save(services, ref, begun, wake)
  while (job) {
    const { id, kind } = job
    const outcome = await runStep(services, ref, job)
    if ('ended' in outcome && outcome.ended === 'removed') {
      log.info('job removed itself', { tenant_id: ref.id, job_id: id, kind })
      return
    }
    const next = afterStep(job, outcome)
    const pauseMs = ('state' in outcome && outcome.pauseMs) || 0
    const pauses = pauseMs > 0 || clock.now() >= endsAt || remainingMs() < reserveMs
    const last: StoredJob = job
    job = await save(services, ref, next, pauses || next.status !== 'running' ? undefined : wake, pauseMs).catch(
      (error) => releaseAndThrow(services, ref, last, error),
    )
    if (next.status !== 'running') {
      log.info('job ended', { tenant_id: ref.id, job_id: id, kind, status: next.status })
      return
    }
    if (job && pauses) return wakeAgain(services, ref, job, pauseMs)
  }
}

const wakeAgain = ({ jobs }: RunnerDependencies, ref: TenantRef, job: StoredJob, pauseMs: number): Promise<void> =>
  jobs.wake(ref, job.id, pauseMs, fairGroupOf(ref, job.actor))

/** The outcome could not be saved, which is no death of this process: the message comes back. */
async function releaseAndThrow(
  services: RunnerDependencies,
  ref: TenantRef,
  job: StoredJob,
  error: unknown,
): Promise<never> {
  await mayFail('release a job', () => save(services, ref, job))
  throw error
}

/** The outcome of a step after which the row of the job is written. */
type SavedStep = Exclude<JobStep<unknown>, { readonly ended: 'removed'; readonly result?: never }>

/** What a step came to, or the runner made of it: a retry from the same state, or a failure with its reason. */
type Outcome = JobStep<unknown> & { readonly retryAfterMs?: number; readonly reason?: JobError }
type SavedOutcome = SavedStep & Pick<Outcome, 'retryAfterMs' | 'reason'>

async function runStep(
  { kinds, findTenant, clock }: RunnerDependencies,
  ref: TenantRef,
  job: StoredJob,
): Promise<Outcome> {
  const deadline = clock.now() + stepMs
  try {
    const kind = kinds.find((one) => one.kind === job.kind)
    if (!kind) return failedWith({ message: `There is no kind of job ${job.kind}.` })
    const tenant = await findTenant(ref.id)
    if (!tenant) return failedWith({ message: 'The tenant of this job does not exist.' })
    if (tenant.deleteAt !== undefined && !kind.whenDeleted) return { state: job.state, pauseMs: deletedPauseMs }
    const run: JobRun = { id: job.id, tenant, actor: job.actor, timeIsUp: () => clock.now() >= deadline }
    const reason = whyGivenUp(job)
    const attempt = reason ? { reason } : await outcomeOf(() => kind.step(run, job.input, job.state))
    if ('outcome' in attempt && !outgrows(job, attempt.outcome)) return attempt.outcome
    if ('outcome' in attempt) return failedWith(tooMuchToKeep, await kind.giveUp?.(run, job.input))
    return failedWith(attempt.reason, await kind.giveUp?.(run, job.input))
  } catch (error) {
    // A busy provider is no fault of the job: its attempts are not counted.
    if (error instanceof Throttled) return { state: job.state, pauseMs: throttledPauseMs }
    log.error('a step of a job failed', error, {
      tenant_id: ref.id,
      job_id: job.id,
      kind: job.kind,
      attempts: job.attempts,
    })
    return retryStep(job)
  }
}

/** Why a job is not tried again; undefined when it is. */
function whyGivenUp({ attempts, deaths }: StoredJob): JobError | undefined {
  if (deaths >= maxJobDeaths)
    return {
      message:
        'The job was set aside: twice at the same step the process that ran it ended without a word, as it does when memory or time run out. Nothing tries it again. Divide its work into smaller parts, such as several files, and start them one after the other.',
    }
  return attempts > maxJobAttempts ? { message: 'The job was given up: it failed too often.' } : undefined
}

const tooMuchToKeep: JobError = {
  message: `The job was given up: what it keeps between its steps, with its errors and what it was given, has more than ${maxJobRowBytes / 1024} KB. Divide the work: export fewer records at once, or shorten the filter.`,
}

/** Whether the row of the job has no room for the state that a step left. It would be refused each time it is saved. */
const outgrows = (job: StoredJob, outcome: Outcome): boolean =>
  'state' in outcome && grownBytes(afterStep(job, outcome)) > maxJobRowBytes

const failedWith = (reason: JobError, result?: unknown): Outcome => ({
  ended: 'failed',
  reason,
  ...(result !== undefined && { result }),
})

/** The outcome of a step, or the fault it threw as an error of the job. */
async function outcomeOf(
  step: () => Promise<JobStep<unknown>>,
): Promise<{ readonly outcome: JobStep<unknown> } | { readonly reason: JobError }> {
  try {
    return { outcome: await step() }
  } catch (error) {
    if (error instanceof Fault) return { reason: { message: error.message, ...faultDetails(error) } }
    throw error
  }
}

/** The fields or the record that a fault is about, and its cause. */
const faultDetails = (fault: Fault): object => ({
  ...(fault instanceof Invalid && { errors: fault.errors }),
  ...(fault instanceof NotFound && fault.subject),
  ...(fault instanceof Conflict && fault.cause !== undefined && { cause: String(fault.cause) }),
  ...fault.details,
})

/** Retries the step from the same state, with exponential back-off. */
function retryStep(job: StoredJob): Outcome {
  const retryAfterMs = firstRetryMs * 2 ** Math.min(job.attempts, maxDoublings)
  return { state: job.state, pauseMs: retryAfterMs, retryAfterMs }
}

function afterStep(job: StoredJob, outcome: SavedOutcome): StoredJob {
  const progress = {
    ...job,
    ...(outcome.reason ? listReason(job, outcome.reason) : listErrors(job, outcome.errors ?? [])),
    done: outcome.done ?? job.done + (outcome.worked ?? 0),
    total: outcome.total ?? job.total,
  }
  if ('ended' in outcome)
    return { ...progress, status: outcome.ended, result: outcome.result ?? null, state: undefined, lease: undefined }
  const isRetry = outcome.retryAfterMs !== undefined
  return { ...progress, state: outcome.state, ...(!isRetry && { attempts: 0, deaths: 0 }) }
}

/**
 * Writes the row; undefined when another runner wrote it since it was read. With `wake` this runner keeps the lease;
 * without, it releases the lease, and the job is due after `pauseMs`.
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
    log.info('another runner works on the job', { tenant_id: ref.id, job_id: job.id })
    return undefined
  }
}
