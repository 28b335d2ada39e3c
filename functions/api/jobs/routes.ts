import * as z from 'zod'
import { administrator, defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { IdParam } from '../../../shared/platform/http/routing/input/path-params.ts'
import { JobAnswer, JobHead, JobQuery } from '../../../shared/platform/jobs/schema.ts'

export const listJobs = defineRoute({
  method: 'GET',
  path: '/api/sys/jobs',
  tag: 'Jobs',
  summary: 'List background jobs',
  description:
    'Newest first, until 30 days after their end, without their errors and results: `GET /api/sys/jobs/{id}` has them.',
  permission: administrator,
  query: JobQuery,
  answer: JobHead,
  shape: 'page',
  example: {
    query: { status: 'done' },
    answer: [
      {
        id: 1,
        kind: 'deliveries',
        status: 'done',
        done: 0,
        total: null,
        started_by: 1,
        created_at: '2026-11-20T08:00:00.000Z',
        updated_at: '2026-11-20T08:00:12.000Z',
      },
    ],
  },
})

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

export const routes: readonly Route[] = [listJobs, getJob]
