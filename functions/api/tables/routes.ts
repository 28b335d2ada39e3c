import * as z from 'zod'
import { exampleTimes } from '../../../shared/platform/configured-objects/schema.ts'
import { wholeListQuery } from '../../../shared/platform/http/paging/page-query.ts'
import {
  administrator,
  defineRoute,
  signedIn,
  type Route,
  noContent,
} from '../../../shared/platform/http/routing/define-route.ts'
import { TableParams } from '../../../shared/platform/http/routing/input/path-params.ts'
import {
  TableChange,
  TableChangePreview,
  TableDocument,
  TableHead,
  TableInput,
} from '../../../shared/tables/tables/schema.ts'

/** A table may have 200 fields with options: each may have as many keys as any other body. */
const keysPerElement = 10_000
const tag = 'Tables'

const requests = {
  name: 'requests',
  label: 'Requests',
  title_field: 'title',
  table_fields: [
    { name: 'title', label: 'Title', type: 'text', required: true, searchable: true, max_length: 200 },
    { name: 'priority', label: 'Priority', type: 'integer', default: 3, min: 1, max: 5 },
    {
      name: 'status',
      label: 'Status',
      type: 'state_model',
      states: [
        { slug: 'new', label: 'New', color: '#1677ff', is_initial: true },
        { slug: 'closed', label: 'Closed', color: '#8c8c8c', is_final: true },
      ],
      transitions: [{ from: 'new', to: 'closed', roles: ['agent'] }],
    },
  ],
  automations: [],
}
const devices = {
  name: 'devices',
  label: 'Devices',
  title_field: 'name',
  table_fields: [
    { name: 'name', label: 'Name', type: 'text', required: true, max_length: 200 },
    { name: 'serial_number', label: 'Serial number', type: 'text', unique: true },
    {
      name: 'status',
      label: 'Status',
      type: 'state_model',
      states: [
        { slug: 'in_use', label: 'In use', is_initial: true },
        { slug: 'retired', label: 'Retired', is_final: true },
      ],
      transitions: [{ from: 'in_use', to: 'retired' }],
    },
    { name: 'client_id', label: 'Client', type: 'model_list', target_table: 'clients' },
  ],
}
const devicesAnswer = {
  id: 103,
  is_system: false,
  version: 1,
  ...exampleTimes,
  ...devices,
  automations: [],
  relations: [],
}
const requestsAnswer = { id: 102, is_system: false, version: 3, ...exampleTimes, ...requests, relations: [] }

export const listTables = defineRoute({
  method: 'GET',
  path: '/api/sys/entities',
  tag,
  summary: 'List all tables',
  description: 'Names and labels without fields. Without `per_page`, a page has up to 1,000 tables.',
  permission: signedIn,
  query: wholeListQuery(TableHead),
  answer: TableHead,
  shape: 'page',
  example: { answer: [{ id: 102, name: 'requests', label: 'Requests', is_system: false, fields_count: 6 }] },
})

export const getTable = defineRoute({
  method: 'GET',
  path: '/api/sys/entities/name/{model}',
  operationId: 'getEntity',
  tag,
  summary: 'Read the structure of a table',
  description:
    'Answers the fields with their types, options and transitions, and the hooks. Only administrators see the source of hooks. Conditions, formulas and filters of rollups that name a field hidden from the caller are left out, and the default of such a field.',
  permission: signedIn,
  params: TableParams,
  answer: TableDocument,
  example: { params: { model: 'requests' }, answer: requestsAnswer },
})

export const createTable = defineRoute({
  method: 'POST',
  path: '/api/sys/entities',
  tag,
  summary: 'Create a table',
  description:
    'The records of the new table are available at `/api/e/{name}` at once. `warnings` names fields in hooks that the table lacks.',
  permission: administrator,
  body: TableInput,
  mayWarn: true,
  keysPerElement,
  answer: TableDocument,
  status: 201,
  example: { body: devices, answer: devicesAnswer },
})

export const changeTable = defineRoute({
  method: 'PUT',
  path: '/api/sys/entities/name/{model}',
  operationId: 'updateEntity',
  tag,
  takesIfMatch: true,
  summary: 'Change a table',
  description:
    'Send the whole document. A field that is left out of `table_fields` is retired: its values stay stored, and its name keeps its type. `version`, when given, must be the current one (409).\n\nWith `dry_run=true` nothing is written: `breaks` counts the records that each new rule would refuse, also those for which the change itself would be refused (a type of a field), and `named_by` lists what names a field that goes, or still has its former name when it is renamed. `renames` says what follows a rename. Conditions are checked for the caller, as a write of the record now would be.',
  permission: administrator,
  params: TableParams,
  query: z.object({ dry_run: z.enum(['true', 'false']).optional() }),
  flags: ['dry_run'],
  body: TableChange,
  mayWarn: true,
  keysPerElement,
  answer: z.union([TableDocument, TableChangePreview]),
  example: {
    params: { model: 'devices' },
    body: { ...devices, label: 'Devices and printers', version: 1 },
    answer: { ...devicesAnswer, label: 'Devices and printers', version: 2 },
  },
})

export const deleteTable = defineRoute({
  method: 'DELETE',
  path: '/api/sys/entities/name/{model}',
  operationId: 'deleteEntity',
  tag,
  takesIfMatch: true,
  summary: 'Delete an empty table',
  description:
    '409 (`table_not_empty`) while the table has records; 422 (`in_use`) while another table, a relation, a process, a subscription or a rule names it.',
  permission: administrator,
  params: TableParams,
  ...noContent,
  example: { params: { model: 'devices' } },
})

export const routes: readonly Route[] = [listTables, getTable, createTable, changeTable, deleteTable]
