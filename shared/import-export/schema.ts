import * as z from 'zod'
import { ListParameters } from '../query/schema.ts'

export const maxRows = 5000

export const ImportBody = z.object({
  // Rows are checked one by one: a bad row does not refuse the others.
  rows: z
    .array(z.unknown())
    .max(maxRows)
    .meta({
      description: `At most ${maxRows} rows: each an object of field names and values, as for creating one record.`,
    }),
  dry_run: z.boolean().optional().meta({ description: 'Checks every row and stores nothing.' }),
})

/** A row that was not stored. */
export const RowFailure = z.object({
  row: z.int().meta({ description: 'Counted from 0.' }),
  errors: z
    .record(z.string(), z.array(z.string()))
    .nullable()
    .meta({ description: 'Field name to what is wrong with it; null when it is not about fields.' }),
  message: z.string(),
})
export type RowFailure = z.output<typeof RowFailure>

export const ImportAnswer = z.object({
  total: z.int(),
  created: z.int(),
  failed: z.int(),
  ids: z
    .array(z.int().nullable())
    .meta({ description: 'In the order of the rows; null for a row that was not stored.' }),
  errors: z.array(RowFailure),
})
export type ImportAnswer = z.output<typeof ImportAnswer>

export const ImportAccepted = z.object({
  job_id: z
    .int()
    .meta({ description: 'The job that stores the rest; its `result` is the answer of the whole import.' }),
  created: z.int().meta({ description: 'Rows stored so far.' }),
})
export type ImportAccepted = z.output<typeof ImportAccepted>

/** The query of the list without its paging, and the format of the file. */
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

/** The `result` of an export job. */
export const ExportedFile = z.object({
  url: z.string(),
  expires_at: z.string(),
  name: z.string(),
  content_type: z.string(),
  records: z.int(),
  size: z.int(),
})
export type ExportedFile = z.output<typeof ExportedFile>
