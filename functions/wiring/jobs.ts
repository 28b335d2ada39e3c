import { clock } from '../../shared/kernel/clock.ts'
import { requireEnvironment } from '../../shared/kernel/require-environment.ts'
import { createJobs } from '../../shared/platform/jobs/service.ts'
import { send } from './send.ts'
import { store } from './store.ts'

/** Starts and resumes jobs. Reading a job needs the store only. */
export const jobs = createJobs({ store, clock, send, queueUrl: requireEnvironment('JOBS_QUEUE_URL') })
