import * as z from 'zod'
import { defineRoute, onTable, type Route } from '../../shared/http/routing/define-route.ts'
import {
  ExportAccepted,
  ExportQuery,
  ImportAccepted,
  ImportAnswer,
  ImportBody,
} from '../../shared/import-export/schema.ts'

const tag = 'Records'
const inTable = z.object({ model: z.string().meta({ description: 'Name of the table.' }) })

export const importRecords = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/import',
  tag,
  summary: 'Import records',
  description:
    'At most 5,000 rows or 4 MB. Each row is processed separately: valid rows are stored, invalid ones are reported. Every row is validated and runs the before_create and after_create hooks; its history says `source: import`. With an `Idempotency-Key`, a repeated request resumes where the first one stopped and never stores a row twice. An import that takes longer than 20 seconds continues as a job (202), whose `result` is the answer for all rows.',
  permission: onTable('create'),
  params: inTable,
  query: z.object({
    dry_run: z.enum(['true', 'false']).optional().meta({ description: 'The same as in the body.' }),
  }),
  flags: ['dry_run'],
  body: ImportBody,
  eachRow: true,
  idempotent: true,
  answer: ImportAnswer,
  accepted: ImportAccepted,
  example: {
    params: { model: 'requests' },
    body: { rows: [{ title: 'Printer on floor 2 is jammed', priority: 3 }, { priority: 4 }] },
    answer: {
      total: 2,
      created: 1,
      failed: 1,
      ids: [42, null],
      errors: [{ row: 1, errors: { title: ['The title field is required.'] }, message: 'Validation error' }],
    },
  },
})

export const exportRecords = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/export',
  tag,
  summary: 'Export records',
  description:
    'Answers all records that match the query, in its order, as CSV or NDJSON. CSV follows RFC 4180 with `id` first; text that a spreadsheet would run as a formula gets a leading apostrophe. An export larger than 4 MB is written by a job (202), whose `result.url` downloads the file for an hour.',
  permission: onTable('read'),
  params: inTable,
  query: ExportQuery,
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/csv; charset=utf-8',
  accepted: ExportAccepted,
  example: {
    params: { model: 'requests' },
    query: { format: 'csv', fields: 'id,title' },
    answer: 'id,title\r\n42,Printer on floor 2 is jammed\r\n',
  },
})

export const routes: readonly Route[] = [importRecords, exportRecords]
