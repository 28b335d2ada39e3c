import * as z from 'zod'
import { rowListQuery } from '../http/paging/page-query.ts'
import { MessageVersion } from '../queue/message-version.ts'

export const jobStatuses = ['queued', 'running', 'done', 'failed'] as const
export const jobKinds = [
  'rebuild',
  'import',
  'import-file',
  'export',
  'repair',
  'tenant-export',
  'tenant-purge',
  'user-erasure',
  'deliveries',
  'configuration-export',
  'configuration-apply',
  'batch',
  'process-bulk',
  'decision-replay',
] as const

/** One error of a job. Further members depend on the kind of job: the row of an import, the record of a rebuild. */
export const JobError = z.looseObject({ message: z.string() })
export type JobError = z.output<typeof JobError>

/** A job as `GET /api/sys/jobs/{id}` answers it. */
export const JobAnswer = z.object({
  id: z.int(),
  kind: z.string().meta({
    description: `What is being done: ${jobKinds.map((kind) => `\`${kind}\``).join(', ')}.`,
  }),
  status: z.enum(jobStatuses),
  done: z.int().meta({ description: 'How much has been worked off.' }),
  total: z.int().nullable().meta({ description: 'How much there is; null while that is not known.' }),
  errors: z.array(JobError),
  result: z.unknown().meta({ description: 'What the job made, once it is done.' }),
})
export type JobAnswer = z.output<typeof JobAnswer>

export const JobQuery = rowListQuery('the kind').extend({
  status: z.enum(jobStatuses).optional().meta({ description: 'Only those with this status.' }),
  kind: z.enum(jobKinds).optional().meta({ description: 'Only those of this kind.' }),
})
export type JobQuery = z.output<typeof JobQuery>

/** A job in `GET /api/sys/jobs`. */
export const JobHead = JobAnswer.omit({ errors: true, result: true }).extend({
  started_by: z.int().nullable().meta({ description: 'Id of the user who started it; null: the service itself.' }),
  created_at: z.string(),
  updated_at: z.string().meta({ description: 'When it last made progress, or ended.' }),
})
export type JobHead = z.output<typeof JobHead>

/** A message that wakes a job, whose row has its state. `wake` identifies the message: a redelivery has the same. */
export const JobMessage = z.object({ v: MessageVersion, tenant_id: z.int(), job_id: z.int(), wake: z.string() })
export type JobMessage = z.output<typeof JobMessage>
