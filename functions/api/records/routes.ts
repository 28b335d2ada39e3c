import * as z from 'zod'
import { StartableProcess } from '../../../shared/automation/processes/schema.ts'
import { ListedRecord, SelectionParameters } from '../../../shared/lists/query/schema.ts'
import {
  defineRoute,
  onTable,
  onTableEither,
  type Route,
  noContent,
} from '../../../shared/platform/http/routing/define-route.ts'
import { idOf, TableParams, RecordParams } from '../../../shared/platform/http/routing/input/path-params.ts'
import { Moment } from '../../../shared/records/history/schema.ts'
import { EntityRecord, RecordBody, RecordForm, ReturnedWithRecord } from '../../../shared/records/records/schema.ts'
import { commentRoutes } from './comment-routes.ts'
import { presenceRoutes } from './presence-routes.ts'
import { snoozeRoutes } from './snooze-routes.ts'
import { unsubscribeRoutes } from './unsubscribe-routes.ts'

const tag = 'Records'

const request = {
  id: 1,
  tenant_id: 1,
  created_by: 1,
  updated_by: 1,
  created_at: '2026-11-20T07:17:00.000Z',
  updated_at: '2026-11-20T07:17:00.000Z',
  version: 1,
  data: { title: 'Printer on floor 2 is jammed', priority: 3, status: 'new' },
}
const merges =
  'Supplied fields overwrite, all others are kept; `null` clears a field. PUT and PATCH do the same. Hooks of the table may change or refuse the update. An update that changes nothing writes nothing. With `If-Match`, an update of a record that has changed since is refused (412).'

export const getRecord = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/{id}',
  tag,
  summary: 'Read a record',
  description:
    'With `as_of`, the record as it was at that time, even if it was deleted since; 404 when it did not exist then. `fields` and `expand` work as in lists; expanded records are those of now. `meta.conversation` says whose turn it is in the conversation with its customer. A record that was merged into another is answered with `merged_into`, and with a `Link` header (`rel="canonical"`) to that one.',
  permission: onTable('read'),
  params: RecordParams,
  query: SelectionParameters.extend({ as_of: Moment.optional() }),
  answer: EntityRecord.or(ListedRecord.extend(EntityRecord.pick({ merged_into: true, merged_from: true }).shape)),
  example: { params: { model: 'requests', id: 1 }, answer: request },
})

export const createRecord = defineRoute({
  method: 'POST',
  path: '/api/e/{model}',
  tag,
  summary: 'Create a record',
  description:
    'A refusal (422) names every wrong field. Fields that are left out get their default, a `state_model` field its initial state. Hooks of the table may change the record or refuse it (422 with their own message).',
  permission: onTable('create'),
  params: TableParams,
  body: RecordBody,
  idempotent: true,
  answer: EntityRecord,
  status: 201,
  example: {
    params: { model: 'requests' },
    body: { title: 'Printer on floor 2 is jammed', priority: 3 },
    answer: request,
  },
})

export const getForm = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/form',
  operationId: 'getRecordForm',
  tag,
  summary: 'Read what a form needs',
  description:
    'Of the record `id`, or without it of a new one: its fields as the caller may fill them in, the transitions open now, and the values or defaults. With `id` it needs `<table>.read` (404 as a read of the record), without it `<table>.create`. Fields are read-only for a caller who may not update the record.',
  permission: onTableEither('read', 'create'),
  params: TableParams,
  query: z.object({ id: idOf('record').optional() }),
  answer: RecordForm,
  alsoFails: [404],
  example: {
    params: { model: 'requests' },
    query: { id: 1 },
    answer: {
      model: 'requests',
      label: 'Requests',
      id: 1,
      version: 1,
      fields: [
        {
          name: 'title',
          label: 'Title',
          type: 'text',
          required: true,
          readonly: false,
          visible: true,
          settings: { max_length: 200 },
        },
      ],
      transitions: [{ field: 'status', from: 'new', to: 'in_progress', label: 'In progress', required_fields: [] }],
      data: { title: 'Printer on floor 2 is jammed', priority: 3, status: 'new' },
    },
  },
})

const changed = {
  ...request,
  version: 2,
  updated_at: '2026-11-20T07:18:00.000Z',
  data: { ...request.data, priority: 5 },
}

export const putRecord = defineRoute({
  method: 'PUT',
  path: '/api/e/{model}/{id}',
  tag,
  summary: 'Update a record',
  description: merges,
  permission: onTable('update'),
  params: RecordParams,
  body: RecordBody,
  answer: EntityRecord,
  example: { params: { model: 'requests', id: 1 }, body: { priority: 5 }, answer: changed },
})

export const patchRecord = defineRoute({
  method: 'PATCH',
  path: '/api/e/{model}/{id}',
  tag,
  summary: 'Update some fields of a record',
  description: merges,
  permission: onTable('update'),
  params: RecordParams,
  body: RecordBody,
  answer: EntityRecord,
  example: { params: { model: 'requests', id: 1 }, body: { priority: 5 }, answer: changed },
})

export const deleteRecord = defineRoute({
  method: 'DELETE',
  path: '/api/e/{model}/{id}',
  tag,
  summary: 'Delete a record',
  description:
    'Its history is kept. A reference with `on_delete: restrict` refuses the delete (422), also one that was written just before; references with `set_null` are cleared. Hooks of the table may refuse the delete, too.',
  permission: onTable('delete'),
  params: RecordParams,
  ...noContent,
  example: { params: { model: 'requests', id: 1 } },
})

export const runMacro = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/{id}/macros/{macro_id}',
  operationId: 'runMacro',
  tag,
  summary: 'Run a macro on a record',
  description:
    'The change of the fields and the comment are stored in one transaction: when one is refused, neither is done. The change takes the whole way of an update (`source: macro` in its history), so a transition that is not open refuses it (422); a macro that you may not run is not found (404). With `next: true` of the macro, `meta.next` is the id of the record that followed it in the view, or in the list of the table; null after the last.',
  permission: onTable('update'),
  params: RecordParams.extend({ macro_id: idOf('macro') }),
  query: z.object({ view: idOf('view').optional().meta({ description: 'The view that `meta.next` goes through.' }) }),
  answer: EntityRecord,
  example: {
    params: { model: 'requests', id: 1, macro_id: 1 },
    answer: { ...changed, data: { ...request.data, priority: 4 } },
  },
})

export const restoreRecord = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/{id}/restore',
  operationId: 'restoreRecord',
  tag,
  summary: 'Restore an earlier state of a record',
  description:
    'Updates the record (`source: restore` in its history); a deleted record comes back under its old id. Transitions are not checked; unique values and references are. Fields that the table no longer has are left out, and so are files that no longer exist: `meta.missing_files` lists these. With a deleted record return its comments, watchers, snoozes and links, if it was deleted within 30 days: `meta.returned` counts them. Processes that the delete cancelled stay cancelled: `meta.cancelled_processes` names them, each with the request that starts it again.',
  permission: onTable('update'),
  params: RecordParams,
  body: z.strictObject({ as_of: Moment }),
  answer: z.object({
    success: z.literal(true),
    data: EntityRecord,
    message: z.string(),
    meta: z.object({
      missing_files: z.array(z.string()),
      returned: ReturnedWithRecord.optional().meta({ description: 'Of a deleted record.' }),
      cancelled_processes: z
        .array(StartableProcess)
        .optional()
        .meta({ description: 'Of a deleted record: the processes that its delete cancelled, at most 100.' }),
    }),
  }),
  shape: 'raw',
  example: {
    params: { model: 'requests', id: 1 },
    body: { as_of: '2026-11-20T07:17:30Z' },
    answer: { success: true, data: { ...request, version: 3 }, message: 'OK', meta: { missing_files: [] } },
  },
})

export const routes: readonly Route[] = [
  getRecord,
  getForm,
  createRecord,
  putRecord,
  patchRecord,
  deleteRecord,
  restoreRecord,
  runMacro,
  ...commentRoutes,
  ...snoozeRoutes,
  ...presenceRoutes,
  ...unsubscribeRoutes,
]
