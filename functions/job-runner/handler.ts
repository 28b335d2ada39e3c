import { findTenant } from '../../shared/auth/service.ts'
import { JobMessage } from '../../shared/jobs/schema.ts'
import { runJob } from '../../shared/jobs/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { onQueue } from '../../shared/queue/on-queue.ts'
import { jobs } from '../wiring/jobs.ts'
import { store } from '../wiring/store.ts'
import { jobKinds } from './job-kinds.ts'

const runner = { store, clock, jobs, kinds: jobKinds, findTenant: (id: number) => findTenant(store, id) }

/** Works on background jobs of every kind, each for as long as one invocation lasts. */
export const handler = onQueue(JobMessage, (message, remainingMs) => runJob(runner, message, remainingMs))
