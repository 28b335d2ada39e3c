import * as z from 'zod'
import { defineJob, type JobRun, type JobStep } from '../../../shared/platform/jobs/define-job.ts'
import { runJob } from '../../../shared/platform/jobs/run-job.ts'
import type { JobMessage } from '../../../shared/platform/jobs/schema.ts'
import { createJobs } from '../../../shared/platform/jobs/service.ts'
import type { Store } from '../../../shared/platform/store/store.ts'
import { type FrozenClock } from '../builders/frozen-clock.ts'
import { type SingleTable } from './stores/single-table.ts'

/** The tenant of the jobs, and who starts them. */
export const tenant = { id: 7, slug: 'acme', name: 'Acme', configVersion: 1 }
export const actor = { userId: 3, roles: ['agent'], isAdministrator: false }
export const plentyMs = () => 300_000

export type Step = (state: number | undefined, run: JobRun) => Promise<JobStep<number>> | JobStep<number>

export interface JobBench {
  readonly single: SingleTable
  readonly clock: FrozenClock
  /** What was sent to the queue of jobs. */
  readonly sent: { message: JobMessage; delaySeconds: number | undefined }[]
}

export interface JobOptions {
  readonly deleteAt?: string
  readonly whenDeleted?: true
  readonly giveUp?: (run: JobRun) => Promise<unknown>
}

/** Jobs that count to three by this step, and a worker that runs them through `store`. */
export function jobsOn(
  { single, clock, sent }: JobBench,
  step: Step,
  store: Store = single.store,
  { deleteAt, whenDeleted, giveUp }: JobOptions = {},
) {
  const jobs = createJobs({
    store: single.store,
    clock,
    queueUrl: 'queue',
    send: async (_url, bodies, options) => {
      sent.push(...bodies.map((body) => ({ message: body as JobMessage, delaySeconds: options?.delaySeconds })))
      return []
    },
  })
  const trials = new Set<number>()
  const kinds = [
    defineJob<z.ZodType, number>('count', z.object({ to: z.int() }), async (run, _input, state) => step(state, run), {
      ...(whenDeleted && { whenDeleted }),
      ...(giveUp && { giveUp }),
    }),
  ]
  const run = (message: JobMessage, remainingMs = plentyMs) =>
    runJob(
      { store, clock, jobs, kinds, trials, findTenant: async () => ({ ...tenant, ...(deleteAt && { deleteAt }) }) },
      message,
      remainingMs,
    )
  const start = async () => {
    const id = await jobs.start(tenant, actor, 'count', { to: 3 }, { total: 3 })
    return { id, message: sent.at(-1)?.message as JobMessage }
  }
  return { jobs, run, start }
}

export const toThree = (state = 0): JobStep<number> =>
  state === 2 ? { ended: 'done', worked: 1, result: { counted: 3 } } : { state: state + 1, worked: 1 }
