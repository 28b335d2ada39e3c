import { findTenant } from '../../shared/auth/service.ts'
import { JobMessage } from '../../shared/jobs/schema.ts'
import { runJob } from '../../shared/jobs/service.ts'
import { onQueue } from '../../shared/queue/on-queue.ts'
import { compose } from '../wiring/compose.ts'
import { jobKinds } from './kinds.ts'

const parts = compose({ loadScripts: () => import('../../shared/scripts/script-runtime.ts') })
const { store, clock, jobs } = parts
const runner = { store, clock, jobs, kinds: jobKinds(parts), findTenant: (id: number) => findTenant(store, id) }

/** Works on background jobs of every kind, each for as long as one invocation lasts. */
export const handler = onQueue(JobMessage, (message, remainingMs) => runJob(runner, message, remainingMs))
