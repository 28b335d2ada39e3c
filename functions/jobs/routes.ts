import * as z from 'zod'
import { IdParam } from '../../shared/http/paging/page-query.ts'
import { defineRoute, signedIn, type Route } from '../../shared/http/routing/define-route.ts'
import { JobAnswer } from '../../shared/jobs/schema.ts'

export const getJob = defineRoute({
  method: 'GET',
  path: '/api/sys/jobs/{id}',
  tag: 'Jobs',
  summary: 'Read the progress of a background job',
  description: 'For whoever started it and for administrators. A job stays readable for 30 days after its end.',
  permission: signedIn,
  params: z.object({ id: IdParam.meta({ description: 'Id of the job, from the answer that started it.' }) }),
  answer: JobAnswer,
  example: {
    params: { id: 12 },
    answer: { id: 12, kind: 'rebuild', status: 'running', done: 12_000, total: 100_000, errors: [], result: null },
  },
})

export const routes: readonly Route[] = [getJob]
