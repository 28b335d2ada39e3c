import * as z from 'zod'
import { maxQueryElements } from '../../../shared/kernel/limits/lists.ts'
import {
  AggregateRow,
  LinkParameters,
  ListBody,
  ListedRecord,
  ListParameters,
} from '../../../shared/lists/query/schema.ts'
import { defineRoute, onTable, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { TableParams } from '../../../shared/platform/http/routing/input/path-params.ts'
import { countViews } from '../../../shared/records/views/schema.ts'
import { searchEverywhere } from './search-routes.ts'

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

export const listRecords = defineRoute({
  method: 'GET',
  path: '/api/e/{model}',
  tag,
  summary: 'List records',
  description:
    'Newest first. `meta.total` counts every record of the list. With `cursor`, every page of a list costs the same, however long the list is. Filters, sorts and all other parameters are those of `list-server`. `view` fills in what the request leaves out.',
  permission: onTable('read'),
  params: TableParams,
  query: ListParameters,
  answer: ListedRecord,
  shape: 'page',
  example: {
    params: { model: 'requests' },
    query: {
      page: 1,
      per_page: 25,
      sort: '-priority,id',
      search: 'printer',
      filter: '{"status":"new"}',
      fields: 'title,client_id.name',
    },
    answer: [
      {
        id: 1,
        data: { title: 'Printer on floor 2 is jammed' },
        expanded: { client_id: { id: 1, data: { name: 'Ann Carter' } } },
      },
    ],
  },
})

export const listServer = defineRoute({
  method: 'POST',
  path: '/api/e/{model}/list-server',
  operationId: 'queryRecords',
  tag,
  summary: 'Filter, sort, search and group records',
  description: `The whole query grammar in one body. A record without a value matches only \`_neq\`, \`_nin\`, \`_null\` and \`_empty\`; \`_not\` is the exact complement; records without a value come last. \`{"status":"open"}\` is short for \`_eq\`, \`{"status":["a","b"]}\` for \`_in\`; \`client_id.name\` is a field of the referenced record. Any field may be filtered, sorted and grouped. With \`group_by\` or \`aggregate\` the rows are groups, ordered by their values unless \`sort\` names one of them, \`count\` or a measure (\`-avg.priority\`). A body of AG Grid's server-side row model (\`startRow\`, \`endRow\`, \`filterModel\`, \`sortModel\`) is accepted too and answered with \`rowCount\`.`,
  permission: onTable('read'),
  params: TableParams,
  query: LinkParameters,
  body: ListBody,
  maxElements: maxQueryElements,
  answer: z.xor([ListedRecord, AggregateRow]),
  shape: 'page',
  example: {
    params: { model: 'requests' },
    body: {
      filter: { _and: [{ status: { _eq: 'new' } }, { priority: { _gte: 3 } }] },
      search: 'printer',
      sort: ['-priority', 'id'],
      page: 1,
      per_page: 25,
    },
    answer: [request],
  },
})

export const getRevision = defineRoute({
  method: 'GET',
  path: '/api/e/{model}/revision',
  operationId: 'getRecordsRevision',
  tag,
  summary: 'Tell whether records of a table changed',
  description:
    'A number that rises within moments whenever records of the table are created, changed or deleted, whoever does it. To follow a list, poll this with the `ETag` of the last answer as `If-None-Match`: while nothing changed the answer is 304, which costs the service one read. When the number is another, ask for the list anew.',
  permission: onTable('read'),
  params: TableParams,
  answer: z.object({ revision: z.int() }),
  hasEtag: true,
  example: { params: { model: 'requests' }, answer: { revision: 12 } },
})

export const routes: readonly Route[] = [listRecords, listServer, getRevision, countViews, searchEverywhere]
