import * as z from 'zod'
import { WholeListQuery } from '../../shared/http/paging/page-query.ts'
import { administrator, defineRoute, signedIn, type Route } from '../../shared/http/routing/define-route.ts'
import { TableChange, TableDocument, TableHead, TableInput } from '../../shared/tables/schema.ts'

const tag = 'Tables'
const params = z.object({ model: z.string().meta({ description: 'Name of the table.' }) })

const requests = {
  name: 'requests',
  label: 'Requests',
  title_field: 'title',
  table_fields: [
    { name: 'title', label: 'Title', type: 'text', required: true, searchable: true, max_length: 200 },
    { name: 'priority', type: 'integer', default: 3, min: 1, max: 5, indexed: true },
    {
      name: 'status',
      type: 'state_model',
      states: [
        { slug: 'new', label: 'New', is_initial: true },
        { slug: 'closed', label: 'Closed', is_final: true },
      ],
      transitions: [{ from: 'new', to: 'closed' }],
    },
  ],
  automations: [],
}
const requestsAnswer = { id: 101, is_system: false, version: 1, ...requests, relations: [] }

export const listTables = defineRoute({
  method: 'GET',
  path: '/api/sys/entities',
  tag,
  summary: 'List all tables',
  description: 'Names and labels without fields. Without `per_page`, a page has up to 1,000 tables.',
  permission: signedIn,
  query: WholeListQuery,
  answer: TableHead,
  shape: 'page',
  example: { answer: [{ id: 101, name: 'requests', label: 'Requests', is_system: false, fields_count: 3 }] },
})

export const getTable = defineRoute({
  method: 'GET',
  path: '/api/sys/entities/name/{model}',
  tag,
  summary: 'Read the structure of a table',
  description:
    'Answers the fields with their types, options and transitions, and the hooks. Only administrators see the source of hooks.',
  permission: signedIn,
  params,
  answer: TableDocument,
  example: { params: { model: 'requests' }, answer: requestsAnswer },
})

export const createTable = defineRoute({
  method: 'POST',
  path: '/api/sys/entities',
  tag,
  summary: 'Create a table',
  description: 'The records of the new table are available at `/api/e/{name}` at once.',
  permission: administrator,
  body: TableInput,
  answer: TableDocument,
  status: 201,
  example: { body: requests, answer: requestsAnswer },
})

export const changeTable = defineRoute({
  method: 'PUT',
  path: '/api/sys/entities/name/{model}',
  tag,
  summary: 'Change a table',
  description:
    'Send the whole document. A field that is left out of `table_fields` is retired: its values stay stored, and its name keeps its type. `version`, when given, must be the current one (409).',
  permission: administrator,
  params,
  body: TableChange,
  answer: TableDocument,
  example: {
    params: { model: 'requests' },
    body: { ...requests, label: 'Service requests', version: 1 },
    answer: { ...requestsAnswer, label: 'Service requests', version: 2 },
  },
})

export const deleteTable = defineRoute({
  method: 'DELETE',
  path: '/api/sys/entities/name/{model}',
  tag,
  summary: 'Delete an empty table',
  description: '409 while the table has records, another table refers to it, or it takes part in a relation.',
  permission: administrator,
  params,
  answer: z.undefined(),
  status: 204,
  example: { params: { model: 'requests' } },
})

export const routes: readonly Route[] = [listTables, getTable, createTable, changeTable, deleteTable]
