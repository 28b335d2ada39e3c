import type { Caller } from '../../../shared/kernel/principal.ts'
import { clock } from '../../../shared/kernel/time/clock.ts'
import type { RawQuery } from '../../../shared/lists/query/schema.ts'
import { bulkChange } from '../../../shared/operations/batches/bulk-change.ts'
import { mergeRecord } from '../../../shared/operations/batches/merge/merge-record.ts'
import { splitRecord } from '../../../shared/operations/batches/merge/split-record.ts'
import { unmergeRecord } from '../../../shared/operations/batches/merge/unmerge-record.ts'
import { findBatch, listBatches } from '../../../shared/operations/batches/read-batches.ts'
import { undoBatch } from '../../../shared/operations/batches/undo-batch.ts'
import { exportByBody, exportByParameters } from '../../../shared/operations/import-export/export/export-records.ts'
import { previewFile, startFileImport } from '../../../shared/operations/import-export/import-file/start-file-import.ts'
import { importRecords } from '../../../shared/operations/import-export/import/import-records.ts'
import { readCsv } from '../../../shared/operations/import-export/import/read-csv.ts'
import { readNdjson } from '../../../shared/operations/import-export/import/read-ndjson.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { Reply } from '../../../shared/platform/http/routing/envelope.ts'
import { readIdempotencyKey } from '../../../shared/platform/http/routing/idempotency-key.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { etag } from '../../../shared/platform/http/routing/input/if-match.ts'
import { readFilter } from '../../../shared/records/records/read/list-records.ts'
import { withView } from '../../../shared/records/views/use-view.ts'
import { answerDeadline } from '../../wiring/answer-deadline.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { jobs } from '../../wiring/jobs.ts'
import { keeper } from '../../wiring/lists/keeper.ts'
import { queries } from '../../wiring/lists/queries.ts'
import { config } from '../../wiring/platform/config.ts'
import { objects } from '../../wiring/platform/objects.ts'
import { comments } from '../../wiring/records/comments.ts'
import { macroDependencies } from '../../wiring/records/macros.ts'
import { recordWrites } from '../../wiring/records/record-writes.ts'
import { viewDependencies } from '../../wiring/records/views.ts'
import { files } from '../../wiring/tables/files.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as batchRoute from './batch-routes.ts'
import * as route from './routes.ts'

const importing = { ...recordWrites, queries, columnLog: keeper, jobs, objects }
const importingFiles = {
  records: recordWrites,
  files,
  jobs,
  fetchObject: objects.fetchObject,
  mappings: { config, tables },
}
const batches = {
  ...recordWrites,
  ...objects,
  queries,
  jobs,
  comments,
  macros: macroDependencies,
  queryOfView: async (caller: Caller, model: string, view: number) => {
    const { query } = await withView(viewDependencies, caller, model, { view }, { asRecords: true })
    const { filter, search, without } = query as RawQuery
    return { filter, search, ...(without && { without }) }
  },
}
const exporting = { tables, queries, jobs, clock }

export const handler = endpointGroup(
  { authenticate, readers: { 'text/csv': readCsv, 'application/x-ndjson': readNdjson } },
  [
    implement(route.importRecords, ({ caller, params, query, body, headers, remainingMs }) =>
      importRecords(importing, caller, params.model, {
        rows: body.rows,
        dryRun: body.dry_run === true,
        coerce: body.coerce === true,
        skipsNotifications: body.skip_notifications === true,
        idempotencyKey: readIdempotencyKey(headers['idempotency-key']),
        mode: body.mode ?? query.mode,
        key: body.key ?? query.key,
        legacy: body.legacy,
        timeIsUp: answerDeadline(remainingMs),
      }),
    ),
    implement(route.importFile, ({ caller, params, body }) =>
      startFileImport(importingFiles, caller, params.model, body),
    ),
    implement(route.previewFile, ({ caller, params, query }) =>
      previewFile(importingFiles, caller, params.model, query),
    ),
    implement(route.exportRecords, async ({ caller, params, query, remainingMs }) => {
      const given = { ...query, filter: readFilter(query.filter) }
      const { query: viewed } = await withView(viewDependencies, caller, params.model, given, { asRecords: true })
      return exportByParameters(exporting, caller, params.model, viewed, answerDeadline(remainingMs))
    }),
    implement(route.exportQuery, async ({ caller, params, body, remainingMs }) => {
      const { query: viewed } = await withView(viewDependencies, caller, params.model, body, { asRecords: true })
      return exportByBody(exporting, caller, params.model, viewed, answerDeadline(remainingMs))
    }),
    implement(batchRoute.bulkChange, ({ caller, params, body, remainingMs }) =>
      bulkChange(batches, caller, params.model, body, answerDeadline(remainingMs)),
    ),
    implement(batchRoute.recordVerbs.merge, ({ caller, params, body, remainingMs }) =>
      mergeRecord(batches, caller, params.model, params.id, {
        into: body.into,
        isDryRun: body.dry_run === true,
        timeIsUp: answerDeadline(remainingMs),
      }),
    ),
    implement(batchRoute.recordVerbs.unmerge, ({ caller, params, body, remainingMs }) =>
      unmergeRecord(batches, caller, params.model, params.id, {
        isDryRun: body?.dry_run === true,
        timeIsUp: answerDeadline(remainingMs),
      }),
    ),
    implement(batchRoute.recordVerbs.split, async ({ caller, params, body }) => {
      const record = await splitRecord(batches, caller, params.model, params.id, body)
      return new Reply(record, { etag: etag(record.version) })
    }),
    implement(batchRoute.listBatches, ({ caller, query }) => listBatches(batches, caller, query)),
    implement(batchRoute.getBatch, ({ caller, params }) => findBatch(batches, caller, params.id)),
    implement(batchRoute.undoBatch, ({ caller, params, body, remainingMs }) =>
      undoBatch(batches, caller, params.id, {
        isDryRun: body?.dry_run === true,
        timeIsUp: answerDeadline(remainingMs),
      }),
    ),
  ],
)
