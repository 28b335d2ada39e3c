import * as z from 'zod'

export const jobStatuses = ['queued', 'running', 'done', 'failed'] as const

/** One error of a job. Further members depend on the kind of job: the row of an import, the record of a rebuild. */
export const JobError = z.looseObject({ message: z.string() })
export type JobError = z.output<typeof JobError>

/** A job as `GET /api/sys/jobs/{id}` answers it. */
export const JobAnswer = z.object({
  id: z.int(),
  kind: z.string().meta({
    description:
      'What is being done: `rebuild`, `import`, `export`, `repair`, `tenant-export`, `tenant-purge`, `user-erasure`, `deliveries`, `configuration-export`, `configuration-apply`.',
  }),
  status: z.enum(jobStatuses),
  done: z.int().meta({ description: 'How much has been worked off.' }),
  total: z.int().nullable().meta({ description: 'How much there is; null while that is not known.' }),
  errors: z.array(JobError),
  result: z.unknown().meta({ description: 'What the job made, once it is done.' }),
})
export type JobAnswer = z.output<typeof JobAnswer>

/** A message that wakes a job, whose row has its state. `wake` identifies the message: a redelivery has the same. */
export const JobMessage = z.object({ v: z.literal(1), tenant_id: z.int(), job_id: z.int(), wake: z.string() })
export type JobMessage = z.output<typeof JobMessage>
