import { Invalid } from '../../kernel/failures/faults.ts'
import { maxJobInputBytes } from '../../kernel/limits/imports.ts'
import { causeOf, mayFail } from '../../kernel/runtime/log.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import type { Send } from '../queue/send.ts'
import { allocateIds } from '../store/sequence/sequence.ts'
import type { Store, Write } from '../store/store.ts'
import { packedBytes } from '../store/values/pack-json.ts'
import { isNew } from '../store/writes/conditions.ts'
import type { JobStarter } from './define-job.ts'
import { fairGroupOf } from './fair-group.ts'
import { jobItem, type StoredJob } from './job-row.ts'
import { jobSequence } from './list-jobs.ts'
import type { JobMessage } from './schema.ts'

export type Jobs = ReturnType<typeof createJobs>

/** A job whose row is not written yet. */
export interface PreparedJob {
  readonly id: number
  readonly write: Write
}

export interface JobOptions {
  /** How much there is to do, if known. */
  readonly total?: number
  /** After how many milliseconds the sweeper wakes the job if nothing else does. Default: a minute. */
  readonly dueAfterMs?: number
  /** The state of the first step: for what the row of an ended job may not keep. */
  readonly state?: unknown
}

/** After how long the sweeper wakes a job whose first message was lost. */
const wakeDueAfterMs = 60_000

/** Starts work that outlives its request; `GET /api/sys/jobs/{id}` reports its progress. */
export function createJobs({
  store,
  clock,
  send,
  queueUrl,
}: {
  store: Store
  clock: Clock
  send: Send
  queueUrl: string
}) {
  /**
   * A new job whose row the caller writes in its own transaction. Call `wake` after the transaction succeeded. Throws
   * Invalid when `input`, as JSON, is over 150 KB compressed.
   */
  async function prepare(
    tenant: TenantRef,
    actor: JobStarter,
    kind: string,
    input: unknown,
    options: JobOptions = {},
  ): Promise<PreparedJob> {
    refuseLargeInput(input)
    const { total = null, dueAfterMs = wakeDueAfterMs } = options
    const { userId, roles, isAdministrator, impersonatorId } = actor
    const now = clock.now()
    const requestId = causeOf()
    const job: StoredJob = {
      id: await allocateIds(store, tenant, jobSequence),
      kind,
      status: 'queued',
      done: 0,
      total,
      errors: [],
      unlistedErrors: 0,
      result: null,
      input,
      state: options.state,
      actor: { userId, roles, isAdministrator, ...(impersonatorId !== undefined && { impersonatorId }) },
      createdAt: isoTime(now),
      ...(requestId !== undefined && { requestId }),
      rev: 1,
      attempts: 0,
      deaths: 0,
    }
    return {
      id: job.id,
      write: {
        put: { ...jobItem(tenant, job, now, now + dueAfterMs), write_id: clock.uuid() },
        if: isNew,
      },
    }
  }

  /**
   * Sends a message that wakes the job, after `pauseMs`. The job takes the turns of `fairGroup`, which are those of its
   * tenant unless said otherwise. Never throws: if it fails, the sweeper wakes the job.
   */
  async function wake(tenant: TenantRef, id: number, pauseMs = 0, fairGroup = String(tenant.id)): Promise<void> {
    const message: JobMessage = { v: 1, tenant_id: tenant.id, job_id: id, wake: clock.uuid() }
    await mayFail('wake a job', async () => {
      const refused = await send(queueUrl, [message], {
        delaySeconds: Math.min(900, Math.ceil(pauseMs / 1000)),
        fairGroup,
      })
      if (refused.length > 0) throw new Error(refused[0]?.reason)
    })
  }

  /**
   * Starts a job for `actor` (a caller, or the actor of a write); answers its id. Throws Invalid when `input`, as JSON,
   * is over 150 KB compressed: put larger data into an object and name that in the input.
   */
  async function start(
    tenant: TenantRef,
    actor: JobStarter,
    kind: string,
    input: unknown,
    options?: JobOptions,
  ): Promise<number> {
    const { id, write } = await prepare(tenant, actor, kind, input, options)
    await store.write(tenant, write)
    await wake(tenant, id, 0, fairGroupOf(tenant, actor))
    return id
  }

  return { prepare, wake, start }
}

/** Only a filter grows so large: other data of jobs is in objects. */
function refuseLargeInput(input: unknown): void {
  if (packedBytes(input) > maxJobInputBytes)
    throw new Invalid({
      filter: [
        'The filter is too large for work in the background: compressed it may have 150 KB. Shorten its lists of values, or select the records by conditions on other fields.',
      ],
    })
}
