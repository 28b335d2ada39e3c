import * as z from 'zod'
import { defineRoute, onTable, type Route } from '../../shared/http/define-route.ts'
import { IdParam, PageQuery } from '../../shared/http/paging.ts'
import { EntityRecord, RecordBody } from '../../shared/entities/schema.ts'

const tag = 'Records'
const model = z.string().meta({ description: 'Name of the table.' })
const inTable = z.object({ model })
const oneRecord = z.object({ model, id: IdParam.meta({ description: 'Id of the record.' }) })

const request = {
  id: 42,
  tenant_id: 1,
  created_by: 3,
  updated_by: 3,
  created_at: '2026-11-20T07:17:00.000Z',
  updated_at: '2026-11-20T07:17:00.000Z',
  version: 1,
  data: { title: 'Printer on floor 2 is jammed', priority: 3, status: 'new' },
}
const merges = 'Supplied fields overwrite, all others are kept; `null` clears a field. PUT and PATCH do the same. An update that changes nothing writes nothing. With `If-Match` the update is refused (412) when the record has changed since.'

export const listRecords = defineRoute({
  method: 'GET',
  path: '/api/e/{model}',
  tag,
  summary: 'List records',
  description: 'Newest first. `meta.total` counts every record, exactly. `cursor` walks a list of any depth at constant cost.',
  permission: onTable('read'),
  params: inTable,
  query: PageQuery.extend({ sort: z.string().optional().meta({ description: '`-id` (default) or `id`.' }) }),
  answer: EntityRecord,
  shape: 'page',
  example: { params: { model: 'requests' }, query: { page: 1, per_page: 25 }, answer: [request] },
})

export const getRecord = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/{id}',
  tag,
  summary: 'Read a record',
  permission: onTable('read'),
  params: oneRecord,
  answer: EntityRecord,
  example: { params: { model: 'requests', id: 42 }, answer: request },
})

export const createRecord = defineRoute({
  method: 'POST',
  path: '/api/e/{model}',
  tag,
  summary: 'Create a record',
  description: 'Every wrong field is named at once. Fields left out take their default, a state_model its initial state.',
  permission: onTable('create'),
  params: inTable,
  body: RecordBody,
  answer: EntityRecord,
  status: 201,
  example: { params: { model: 'requests' }, body: { title: 'Printer on floor 2 is jammed', priority: 3 }, answer: request },
})

const changed = { ...request, version: 2, updated_at: '2026-11-20T07:18:00.000Z', data: { ...request.data, priority: 5 } }

export const putRecord = defineRoute({
  method: 'PUT',
  path: '/api/e/{model}/{id}',
  tag,
  summary: 'Update a record',
  description: merges,
  permission: onTable('update'),
  params: oneRecord,
  body: RecordBody,
  answer: EntityRecord,
  example: { params: { model: 'requests', id: 42 }, body: { priority: 5 }, answer: changed },
})

export const patchRecord = defineRoute({
  method: 'PATCH',
  path: '/api/e/{model}/{id}',
  tag,
  summary: 'Update some fields of a record',
  description: merges,
  permission: onTable('update'),
  params: oneRecord,
  body: RecordBody,
  answer: EntityRecord,
  example: { params: { model: 'requests', id: 42 }, body: { priority: 5 }, answer: changed },
})

export const deleteRecord = defineRoute({
  method: 'DELETE',
  path: '/api/e/{model}/{id}',
  tag,
  summary: 'Delete a record',
  description: 'Its history stays. Fields with `on_delete: restrict` that refer to it refuse the delete (422), with `set_null` they are cleared.',
  permission: onTable('delete'),
  params: oneRecord,
  answer: z.undefined(),
  status: 204,
  example: { params: { model: 'requests', id: 42 } },
})

export const routes: readonly Route[] = [listRecords, getRecord, createRecord, putRecord, patchRecord, deleteRecord]
