import { findTenant } from '../../../shared/accounts/tenants/find-tenant.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import { runJob } from '../../../shared/platform/jobs/run-job.ts'
import { JobMessage } from '../../../shared/platform/jobs/schema.ts'
import { onQueue } from '../../../shared/platform/queue/on-queue.ts'
import { jobs } from '../../wiring/jobs.ts'
import { store } from '../../wiring/platform/store.ts'
import { jobKinds } from './job-kinds.ts'

const runner = {
  store,
  clock,
  jobs,
  kinds: jobKinds,
  findTenant: (id: number) => findTenant(store, id),
  trials: new Set<number>(),
}

/** Runs background jobs of every kind. A job that is not done when the invocation ends continues in another one. */
export const handler = onQueue(JobMessage, (message, remainingMs) => runJob(runner, message, remainingMs))
