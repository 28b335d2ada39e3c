import * as z from 'zod'
import { maxImportRows } from '../../kernel/limits/imports.ts'
import { maxMessageFilePathCharacters } from '../../kernel/limits/incoming.ts'
import { maxChannelNameCharacters } from '../../kernel/limits/messages.ts'
import { isTrue, ListBody, ListParameters } from '../../lists/query/schema.ts'
import { Columns, ImportFormat, Sheet, storing } from '../import-mappings/schema.ts'

const whole = 'The body must be an object. Send {"rows": [...]}.'

const Path = z.string().max(maxMessageFilePathCharacters).meta({ description: 'A file that you uploaded.' })
const SavedMapping = z
  .union([z.string().max(maxChannelNameCharacters), z.int().min(1)])
  .optional()
  .meta({ description: 'A saved mapping of the table, by its name or id. What the request says itself wins.' })

export const ImportFileBody = z.strictObject({
  path: Path,
  format: ImportFormat.optional().meta({ description: 'Left out, the name of the file says it.' }),
  mapping: Columns.optional().meta({
    description:
      'Column of the file to field; other columns are left out. Without it columns are taken whose name or label is that of a field.',
  }),
  saved_mapping: SavedMapping,
  sheet: Sheet.optional().meta({ description: 'Of a workbook; left out, the first one.' }),
  ...storing,
  dry_run: z.boolean().optional().meta({ description: 'Checks every row and stores nothing.' }),
  skip_notifications: z.boolean().optional().meta({ description: 'As for imports of rows.' }),
})
export type ImportFileBody = z.output<typeof ImportFileBody>

export const ImportFileAccepted = z.object({
  job_id: z.int().meta({ description: 'The job that imports the file; its `errors` name rows and columns.' }),
  batch_id: z.int().nullable().meta({ description: 'For its undo; null of a dry run.' }),
})
export type ImportFileAccepted = z.output<typeof ImportFileAccepted>

/** The `result` of a job that imported a file. */
const FileImported = z.object({
  batch_id: z.int().nullable(),
  total: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  mapping: Columns,
  unmapped: z.array(z.string()),
})
export type FileImported = z.output<typeof FileImported>

export const FilePreviewQuery = z.object({
  path: Path,
  format: ImportFormat.optional(),
  sheet: Sheet.optional(),
  saved_mapping: z
    .string()
    .max(maxChannelNameCharacters)
    .optional()
    .meta({ description: 'A saved mapping of the table, by its name or id: it is the mapping of the answer.' }),
})
export type FilePreviewQuery = z.output<typeof FilePreviewQuery>

export const FilePreview = z.object({
  format: ImportFormat,
  sheets: z.array(z.string()).nullable().meta({ description: 'Of a workbook.' }),
  sheet: z.string().nullable().meta({ description: 'The one that is shown.' }),
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), z.unknown())).meta({ description: 'The first ten.' }),
  mapping: Columns.meta({ description: 'Column to field, by names, labels, and what is nearest to them.' }),
  unmapped: z.array(z.string()).meta({ description: 'Columns for which there is no field.' }),
  problem: z.string().nullable().meta({
    description: 'Why the saved mapping does not fit the file: a column that it lacks, or a field that is gone.',
  }),
})
export type FilePreview = z.output<typeof FilePreview>

export const ImportBody = z.object(
  {
    // Rows are checked one by one: a bad row does not refuse the others.
    rows: z
      .array(z.unknown())
      .max(maxImportRows)
      .meta({
        description: `At most ${maxImportRows} rows: each an object of field names and values, as for creating one record.`,
      }),
    ...storing,
    dry_run: z.boolean().optional().meta({ description: 'Checks every row and stores nothing.' }),
    coerce: z.boolean().optional().meta({
      description:
        'Reads texts as the types of their fields do: `"3"`, `"yes"`, `"2030-01-31"`, labels of options; an empty text leaves its field out.',
    }),
    skip_notifications: z.boolean().optional().meta({
      description:
        'True: subscriptions are not told of these records, and what their hooks ask to send is not sent. Hooks run, and processes start.',
    }),
  },
  { error: (issue) => (issue.input === undefined ? undefined : whole) },
)

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
  updated: z.int().optional().meta({ description: 'Of `update` and `upsert`: records that were changed.' }),
  unchanged: z.int().optional().meta({ description: 'Of `update` and `upsert`: records that were as their rows say.' }),
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

const format = z.enum(['csv', 'ndjson', 'xlsx']).default('csv').meta({
  description: 'CSV with a line of names, one JSON record a line, or a workbook of Excel with typed cells.',
})
const labelled =
  'For csv and xlsx: labels of fields, options and states, and titles of referenced records, instead of names, slugs and ids.'

/** The query of the list without its paging, and the format of the file. */
export const ExportQuery = ListParameters.omit({ page: true, per_page: true, cursor: true, explain: true }).extend({
  format,
  labels: isTrue.meta({ description: labelled, type: 'boolean' }),
})
export type ExportQuery = z.output<typeof ExportQuery>

/** The body of `list-server` without paging and groups: our query, or what AG Grid sent for the rows that it shows. */
export const ExportBody = ListBody.omit({
  page: true,
  per_page: true,
  cursor: true,
  explain: true,
  aggregate: true,
  group_by: true,
  having: true,
  top: true,
}).extend({ format, labels: z.boolean().nullish().meta({ description: labelled }) })
export type ExportBody = z.output<typeof ExportBody>

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
