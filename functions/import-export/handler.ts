import { endpointGroup } from '../../shared/http/routing/endpoint-group.ts'
import { readIdempotencyKey } from '../../shared/http/routing/idempotency-key.ts'
import { implement } from '../../shared/http/routing/implement.ts'
import { exportRecords, importRecords } from '../../shared/import-export/service.ts'
import { clock } from '../../shared/kernel/clock.ts'
import { environment } from '../../shared/kernel/environment.ts'
import { authenticate } from '../wiring/authenticate.ts'
import { jobs } from '../wiring/jobs.ts'
import { queries } from '../wiring/lists/queries.ts'
import { objects } from '../wiring/objects.ts'
import { recordWrites } from '../wiring/records/record-writes.ts'
import { tables } from '../wiring/tables.ts'
import * as route from './routes.ts'

const importing = { ...recordWrites, jobs, objects }
const exporting = { tables, queries, jobs }

/** Reserved for starting a job: the HTTP API times out after 30 s. */
const reserveMs = 9_000

/** A check whether it is time to continue as a job. */
function deadline(remainingMs: () => number): () => boolean {
  const end = clock.now() + environment().ANSWER_WITHIN_MS
  return () => clock.now() >= end || remainingMs() < reserveMs
}

export const handler = endpointGroup({ authenticate }, [
  implement(route.importRecords, ({ caller, params, body, headers, remainingMs }) =>
    importRecords(importing, caller, params.model, {
      rows: body.rows,
      dryRun: body.dry_run === true,
      key: readIdempotencyKey(headers['idempotency-key']),
      timeIsUp: deadline(remainingMs),
    }),
  ),
  implement(route.exportRecords, ({ caller, params, query, remainingMs }) =>
    exportRecords(exporting, caller, params.model, query, deadline(remainingMs)),
  ),
])
