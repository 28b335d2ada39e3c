import { requireEnvironment } from '../../shared/kernel/runtime/require-environment.ts'
import { clock } from '../../shared/kernel/time/clock.ts'
import { createJobs } from '../../shared/platform/jobs/service.ts'
import { send } from './platform/send.ts'
import { store } from './platform/store.ts'

/** Starts and resumes jobs. Reading a job needs the store only. */
export const jobs = createJobs({ store, clock, send, queueUrl: requireEnvironment('JOBS_QUEUE_URL') })
