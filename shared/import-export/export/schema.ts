import * as z from 'zod'
import { ListParameters } from '../../query/schema.ts'

/** The query of the list without its paging, and how the records are written. */
export const ExportQuery = ListParameters.omit({ page: true, per_page: true, cursor: true, explain: true }).extend({
  format: z
    .enum(['csv', 'ndjson'])
    .default('csv')
    .meta({ description: 'CSV with a line of names, or one JSON record a line.' }),
})
export type ExportQuery = z.output<typeof ExportQuery>

export const ExportAccepted = z.object({
  job_id: z.int().meta({ description: 'The job that writes the file; its `result.url` fetches it.' }),
})

/** What the job of an export answers when it is done. */
export const ExportedFile = z.object({
  url: z.string(),
  expires_at: z.string(),
  name: z.string(),
  content_type: z.string(),
  records: z.int(),
  size: z.int(),
})
export type ExportedFile = z.output<typeof ExportedFile>
