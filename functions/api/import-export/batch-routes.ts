import * as z from 'zod'
import {
  BatchAccepted,
  BatchAnswer,
  BatchHead,
  BatchQuery,
  BulkAnswer,
  BulkBody,
  UndoAnswer,
  UndoBody,
} from '../../../shared/operations/batches/schema.ts'
import { defineRoute, onTableEither, type Route, signedIn } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf, TableParams } from '../../../shared/platform/http/routing/input/path-params.ts'

const tag = 'Batches'
const isTrue = z.enum(['true', 'false']).optional().meta({ description: 'The same as in the body.' })
const BatchParams = z.object({ id: idOf('batch') })

export const bulkChange = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/bulk',
  operationId: 'changeRecords',
  tag,
  summary: 'Change or delete many records',
  description:
    'The records named by `ids`, or those that a `filter` or a `view` finds and you may read; which they are is settled before the first one is changed. Each takes the whole way of a single write: permission, row rules, field rules, hooks, history, processes. One that is refused is reported in `errors`, the others are changed. With `expect` nothing is done when another number of records matches (409). With `dry_run` the answer says what would happen, and nothing is written. What takes longer than 20 seconds continues as a job (202), whose `result` is the answer. The change is a batch: `POST /api/sys/batches/{id}/undo` undoes it.',
  permission: onTableEither('update', 'delete'),
  params: TableParams,
  query: z.object({ dry_run: isTrue }),
  flags: ['dry_run'],
  body: BulkBody,
  answer: BulkAnswer,
  accepted: BatchAccepted,
  alsoFails: [409],
  example: {
    params: { model: 'requests' },
    body: { filter: { priority: 3 }, set: { priority: 4 }, dry_run: true },
    answer: { batch_id: null, matched: 1, changed: 1, unchanged: 0, failed: 0, errors: [] },
  },
})

const head = {
  id: 1,
  kind: 'bulk' as const,
  model: 'clients',
  status: 'done' as const,
  matched: 1,
  changed: 1,
  unchanged: 0,
  failed: 0,
  created_by: 1,
  created_at: '2026-11-20T08:00:00.000Z',
  ended_at: '2026-11-20T08:00:01.000Z',
  job_id: null,
  undoes: null,
  undone_by: null,
  problem: null,
}

export const listBatches = defineRoute({
  method: 'GET',
  path: '/api/sys/batches',
  tag,
  summary: 'List batches of changes',
  description:
    'Imports, bulk changes and undos, newest first: your own, for administrators those of all. They are kept for 90 days; history entries name them by `batch_id` for ever.',
  permission: signedIn,
  query: BatchQuery,
  answer: BatchHead,
  shape: 'page',
  example: { answer: [{ ...head, kept: 0 }] },
})

export const getBatch = defineRoute({
  method: 'GET',
  path: '/api/sys/batches/{id}',
  tag,
  summary: 'Read a batch',
  description: 'For who started it, and administrators.',
  permission: signedIn,
  params: BatchParams,
  answer: BatchAnswer,
  example: { params: { id: 1 }, answer: { ...head, errors: [], kept: [] } },
})

export const undoBatch = defineRoute({
  method: 'POST',
  path: '/api/sys/batches/{id}/undo',
  operationId: 'undoBatch',
  tag,
  summary: 'Undo a batch',
  description:
    'Fields that nobody changed since get their former values, created records go, deleted ones return under their ids, and references to them that the delete cleared come back. What changed since is left alone and reported in `kept`. It needs the permissions that the writes need: nobody undoes what they may not write. Transitions are not checked, as for a restore; hooks run. What hooks and processes did on other records because of the batch stays. An undo is a batch, and can be undone. What takes longer than 20 seconds continues as a job (202).',
  permission: signedIn,
  params: BatchParams,
  query: z.object({ dry_run: isTrue }),
  flags: ['dry_run'],
  body: UndoBody,
  answer: UndoAnswer,
  accepted: BatchAccepted,
  alsoFails: [403, 409],
  example: {
    params: { id: 1 },
    body: { dry_run: false },
    answer: { batch_id: 2, matched: 1, changed: 1, unchanged: 0, failed: 0, errors: [], kept: [] },
  },
})

export const routes: readonly Route[] = [bulkChange, listBatches, getBatch, undoBatch]
