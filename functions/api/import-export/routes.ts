import * as z from 'zod'
import { maxQueryElements } from '../../../shared/kernel/limits/lists.ts'
import {
  ExportAccepted,
  ExportBody,
  ExportQuery,
  FilePreview,
  FilePreviewQuery,
  ImportAccepted,
  ImportAnswer,
  ImportBody,
  ImportFileAccepted,
  ImportFileBody,
} from '../../../shared/operations/import-export/schema.ts'
import { defineRoute, onTable, onTableEither, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { TableParams } from '../../../shared/platform/http/routing/input/path-params.ts'
import { routes as batchRoutes } from './batch-routes.ts'

const tag = 'Records'

export const importRecords = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/import',
  tag,
  summary: 'Import records',
  description:
    'At most 5,000 rows or 4 MB, as JSON, as CSV whose first line has the names of fields (`content-type: text/csv`), or as NDJSON with a record a line (`application/x-ndjson`). Each row is processed separately: valid rows are stored, invalid ones are reported. Every row is validated and runs the before_create and after_create hooks; its history says `source: import`. With `mode: update` or `upsert`, the value of `key` in a row names its record: what the row names of it changes, the whole way of a single update, a record that is so already stays as it is, and a key that names several records is an error of its row. Of two that upsert the same key at once, one creates the record. With `legacy` (administrators) rows keep who made them and when, their states and numbers, and run no hooks and processes. With `skip_notifications` nobody is notified of them. With an `Idempotency-Key`, a repeated request resumes where the first one stopped and never stores a row twice. An import that takes longer than 20 seconds continues as a job (202), whose `result` is the answer for all rows.',
  permission: onTableEither('create', 'update'),
  params: TableParams,
  query: z.object({
    dry_run: z.enum(['true', 'false']).optional().meta({ description: 'The same as in the body.' }),
    coerce: z.enum(['true', 'false']).optional().meta({ description: 'The same as in the body; `true` for CSV.' }),
    skip_notifications: z.enum(['true', 'false']).optional().meta({ description: 'The same as in the body.' }),
    mode: z.enum(['create', 'update', 'upsert']).optional().meta({ description: 'The same as in the body.' }),
    key: z.string().optional().meta({ description: 'The same as in the body.' }),
    legacy: z.enum(['true', 'false']).optional().meta({ description: 'The same as in the body.' }),
  }),
  flags: ['dry_run', 'coerce', 'skip_notifications', 'legacy'],
  alsoTakes: {
    'text/csv': 'title,priority\nPrinter on floor 2 is jammed,3\n',
    'application/x-ndjson': '{"title":"Printer on floor 2 is jammed","priority":3}\n',
  },
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

export const importFile = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/import-file',
  operationId: 'importRecordFile',
  tag,
  summary: 'Import a file',
  description:
    'Imports a file that you uploaded (`POST /api/files`), as a job: CSV, a workbook of Excel (XLSX) or NDJSON, with at most 100,000 rows. Cells are read as the types of their fields do. A row is stored as `POST /api/e/{model}/import` stores it, with the same `mode`, `key` and `legacy`; one that is refused is named in the `errors` of the job by its number, from 0 without the line of names, and its column. The job survives crashes without storing a row twice. A dry run checks all rows, however many.',
  permission: onTableEither('create', 'update'),
  params: TableParams,
  query: z.object({
    dry_run: z.enum(['true', 'false']).optional().meta({ description: 'The same as in the body.' }),
  }),
  flags: ['dry_run'],
  body: ImportFileBody,
  answer: ImportFileAccepted,
  accepted: ImportFileAccepted,
  alsoFails: [404],
  example: {
    params: { model: 'clients' },
    body: { path: 'files/1/k3JqTz0bXw5yVn8mRc2dLh7s/clients.csv', mode: 'upsert', key: 'id', dry_run: true },
    answer: { job_id: 1, batch_id: null },
  },
})

export const previewFile = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/import-file/preview',
  operationId: 'previewRecordFile',
  tag,
  summary: 'Look into a file before its import',
  description:
    'Answers the columns of a file that you uploaded, its first ten rows, the sheets of a workbook, and a proposed mapping of columns to fields that you may write: by name and label, whatever their case, spaces and underscores, and else by the nearest name; with `saved_mapping`, that of the mapping, and in `problem` why it does not fit the file.',
  permission: onTableEither('create', 'update'),
  params: TableParams,
  query: FilePreviewQuery,
  answer: FilePreview,
  alsoFails: [404],
  example: {
    params: { model: 'clients' },
    query: { path: 'files/1/k3JqTz0bXw5yVn8mRc2dLh7s/clients.csv' },
    answer: {
      format: 'csv',
      sheets: null,
      sheet: null,
      columns: ['Name', 'E-Mail', 'Remark'],
      rows: [{ Name: 'Dana Reyes', 'E-Mail': 'dana@northwind.example' }],
      mapping: { Name: 'name', 'E-Mail': 'email' },
      unmapped: ['Remark'],
      problem: null,
    },
  },
})

export const exportRecords = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/export',
  operationId: 'exportRecords',
  tag,
  summary: 'Export records',
  description:
    'Answers all records that match the query, in its order, as CSV, NDJSON or XLSX. CSV follows RFC 4180 with `id` first; text that a spreadsheet would run as a formula gets a leading apostrophe. XLSX has typed numbers, booleans, dates and datetimes, these in the tenant’s time zone, and texts that stay texts; it holds 1,048,575 records and 32,767 characters a cell, and more is 422. An export larger than 4 MB is written by a job (202), whose `result.url` downloads the file for an hour.',
  permission: onTable('read'),
  params: TableParams,
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

export const exportQuery = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/export',
  operationId: 'exportQueriedRecords',
  tag,
  summary: 'Export the records of a query or a grid',
  description:
    'The same with the query as a body: the grammar of `list-server`, or the request of AG Grid, whose filters and sort count. A grid that shows groups is exported as their records, sorted by the groups; with `groupKeys` as those of the opened group. `startRow` and `endRow` may be sent and do not limit the file.',
  permission: onTable('read'),
  params: TableParams,
  body: ExportBody,
  maxElements: maxQueryElements,
  answer: z.string(),
  shape: 'raw',
  contentType: 'text/csv; charset=utf-8',
  accepted: ExportAccepted,
  example: {
    params: { model: 'requests' },
    body: {
      format: 'csv',
      labels: true,
      fields: ['title', 'status'],
      filterModel: { 'data.title': { filterType: 'text', type: 'contains', filter: 'printer' } },
      sortModel: [{ colId: 'data.priority', sort: 'desc' }],
    },
    answer: 'ID,Title,Status\r\n42,Printer on floor 2 is jammed,New\r\n',
  },
})

export const routes: readonly Route[] = [
  importRecords,
  importFile,
  previewFile,
  exportRecords,
  exportQuery,
  ...batchRoutes,
]
