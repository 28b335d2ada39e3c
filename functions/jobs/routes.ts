import * as z from 'zod'
import { IdParam } from '../../shared/http/paging/page-query.ts'
import { defineRoute, signedIn, type Route } from '../../shared/http/routing/define-route.ts'
import { JobAnswer } from '../../shared/jobs/schema.ts'

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
    params: { id: 12 },
    answer: { id: 12, kind: 'rebuild', status: 'running', done: 12_000, total: 100_000, errors: [], result: null },
  },
})

export const routes: readonly Route[] = [getJob]
