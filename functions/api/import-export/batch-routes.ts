import * as z from 'zod'
import {
  BatchAccepted,
  BatchAnswer,
  BatchHead,
  BatchQuery,
  BulkAnswer,
  BulkBody,
  SplitBody,
  MergeAnswer,
  MergeBody,
  UndoAnswer,
  UndoBody,
} from '../../../shared/operations/batches/schema.ts'
import {
  defineRoute,
  onTable,
  onTableEither,
  type Route,
  signedIn,
} from '../../../shared/platform/http/routing/define-route.ts'
import { idOf, RecordParams, TableParams } from '../../../shared/platform/http/routing/input/path-params.ts'
import { verbRoutes } from '../../../shared/platform/http/routing/verb-routes.ts'
import { EntityRecord } from '../../../shared/records/records/schema.ts'

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

export const recordVerbs = verbRoutes(
  {
    path: '/api/e/{model}/{id}',
    tag,
    permission: onTable('update'),
    params: RecordParams,
    alsoFails: [409],
    answer: EntityRecord,
    of: { model: 'requests', id: 2 },
  },
  {
    merge: {
      operationId: 'mergeRecord',
      tag,
      summary: 'Merge a record into another',
      description:
        'The record becomes part of `into`, of the same table: its comments, files, links, watchers, messages and mail threads are those of `into` from then on, references to it point at `into`, and empty fields of `into` are filled with its values. The record itself leaves lists, searches, counts and exports; it keeps its address, which answers it with `merged_into`, and its history. Nobody writes it any more (409 `record_merged`); its processes end. Mails and chats that answer it arrive at `into`. You need update on both records, by permission and row rules; fields that you may not write stay as they are. The before_update and after_update hooks of `into` run. It is a batch: `POST .../unmerge`, or an undo of the batch, brings everything back. With `dry_run` the answer says what would happen, and nothing is written. What takes longer than 20 seconds continues as a job (202), whose `result` is the answer.',
      query: z.object({ dry_run: isTrue }),
      flags: ['dry_run'],
      body: MergeBody,
      answer: MergeAnswer,
      accepted: BatchAccepted,
      example: {
        body: { into: 1, dry_run: true },
        answer: {
          batch_id: null,
          matched: 2,
          changed: 2,
          unchanged: 0,
          failed: 0,
          errors: [],
          id: 2,
          merged_into: 1,
          moves: { comments: 0, messages: 0, watchers: 1, links: 0, references: 0, files: 0 },
          filled: [],
          not_filled: [],
          cancelled_processes: [],
        },
      },
    },
    unmerge: {
      operationId: 'unmergeRecord',
      tag,
      summary: 'Unmerge a record',
      description:
        'On the merged record: it is one of its own again, with the comments, messages, watchers and links that it brought along; mails that answer it arrive there again. Fields that the merge filled and references that it moved return as in an undo: what somebody changed since is left alone and reported in `kept`. What came in since the merge stays where it came in, and cancelled processes stay cancelled. A record that other merges made part of another one in between is unmerged from the outside in (409 names which first).',
      query: z.object({ dry_run: isTrue }),
      flags: ['dry_run'],
      body: UndoBody,
      answer: UndoAnswer,
      accepted: BatchAccepted,
      example: {
        body: { dry_run: false },
        answer: { batch_id: 2, matched: 1, changed: 0, unchanged: 1, failed: 0, errors: [], kept: [] },
      },
    },
    split: {
      operationId: 'splitRecord',
      tag,
      summary: 'Make a record of a part of another',
      description:
        'Creates a record of the same table with `data`, by the whole way of a create, and moves comments or messages to it: with their attachments, and with the mail thread of the messages, so that later answers to them arrive at the new record, and comments there are sent to their senders. All of it happens or nothing. You need update on the record, create on the table, and the permission for the kind of each comment. The message that made the record stays with it. The history of both records names the other. To take it back, merge the new record into the old one.',
      body: SplitBody,
      status: 201,
      example: {
        params: { model: 'requests', id: 1 },
        body: { comment_ids: [1], data: { title: 'Toner for the printer on floor 2' } },
        answer: {
          id: 2,
          tenant_id: 1,
          created_by: 1,
          updated_by: 1,
          created_at: '2026-11-20T08:00:00.000Z',
          updated_at: '2026-11-20T08:00:00.000Z',
          version: 1,
          data: { title: 'Toner for the printer on floor 2' },
        },
      },
    },
  },
)

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
  answer: UndoAnswer.or(MergeAnswer),
  accepted: BatchAccepted,
  alsoFails: [403, 409],
  example: {
    params: { id: 1 },
    body: { dry_run: false },
    answer: { batch_id: 2, matched: 1, changed: 1, unchanged: 0, failed: 0, errors: [], kept: [] },
  },
})

export const routes: readonly Route[] = [bulkChange, ...Object.values(recordVerbs), listBatches, getBatch, undoBatch]
