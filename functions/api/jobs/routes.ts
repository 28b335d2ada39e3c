import * as z from 'zod'
import { defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { IdParam } from '../../../shared/platform/http/routing/input/path-params.ts'
import { JobAnswer } from '../../../shared/platform/jobs/schema.ts'

export const getJob = defineRoute({
  method: 'GET',
  path: '/api/sys/jobs/{id}',
  tag: 'Jobs',
  summary: 'Read the progress of a background job',
  description: 'Jobs can be read by the user who started them and by administrators, until 30 days after their end.',
  permission: signedIn,
  params: z.object({ id: IdParam.meta({ description: 'The `job_id` from the answer that started the job.' }) }),
  answer: JobAnswer,
  example: {
    params: { id: 1 },
    answer: { id: 1, kind: 'deliveries', status: 'done', done: 0, total: null, errors: [], result: {} },
  },
})

export const routes: readonly Route[] = [getJob]
