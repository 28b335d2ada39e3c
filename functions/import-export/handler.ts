import { group } from '../../shared/http/routing/endpoint-group.ts'
import { readIdempotencyKey } from '../../shared/http/routing/idempotency-key.ts'
import { implement } from '../../shared/http/routing/implement.ts'
import { exportRecords, importRecords } from '../../shared/import-export/service.ts'
import { environment } from '../../shared/kernel/env.ts'
import { filesBucket } from '../../shared/objects/bucket.ts'
import { compose } from '../wiring/compose.ts'
import * as route from './routes.ts'

const { authenticate, clock, entities, jobs, records, tables } = compose({
  loadScripts: () => import('../../shared/scripts/script-runtime.ts'),
})
const objects = filesBucket()

/** Kept for handing over to a job: the HTTP API gives up after 30 s, whatever is still running. */
const reserveMs = 9_000

function deadline(remainingMs: () => number): () => boolean {
  const end = clock.now() + environment().ANSWER_WITHIN_MS
  return () => clock.now() >= end || remainingMs() < reserveMs
}

export const handler = group({ authenticate }, [
  implement(route.importRecords, ({ caller, params, body, headers, remainingMs }) =>
    importRecords({ ...records, jobs, objects }, caller, params.model, {
      rows: body.rows,
      dryRun: body.dry_run === true,
      key: readIdempotencyKey(headers['idempotency-key']),
      timeIsUp: deadline(remainingMs),
    }),
  ),
  implement(route.exportRecords, ({ caller, params, query, remainingMs }) =>
    exportRecords({ tables, queries: entities.queries, jobs }, caller, params.model, query, deadline(remainingMs)),
  ),
])
