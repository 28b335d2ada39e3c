import * as z from 'zod'
import {
  ConfigurationAccepted,
  ConfigurationBody,
  ConfigurationChanges,
  ConfigurationDocument,
  ConfigurationQuery,
  configuredObjects,
  keysPerObject,
} from '../../../shared/operations/configuration/schema.ts'
import { administrator, defineRoute, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { routes as settingsRoutes } from './settings-routes.ts'

const tag = 'Configuration'
const document = {
  roles: [{ name: 'agent', permissions: ['clients.*', 'requests.*', 'sys_companies.read', 'vendors.read'] }],
  tables: [
    {
      name: 'vendors',
      label: 'Vendors',
      title_field: 'name',
      table_fields: [{ name: 'name', type: 'text' as const, required: true }],
      automations: [],
    },
  ],
  relations: [{ name: 'Vendors of a request', l_table: 'requests', r_table: 'vendors' }],
}
const present = {
  roles: [{ name: 'agent', permissions: ['clients.*', 'requests.*', 'sys_companies.read'] }],
  tables: [
    {
      name: 'clients',
      label: 'Clients',
      title_field: 'name',
      table_fields: [{ name: 'name', label: 'Name', type: 'text' as const, required: true }],
      automations: [],
    },
  ],
  relations: [{ name: 'Related requests', l_table: 'requests', r_table: 'requests' }],
}

export const readConfiguration = defineRoute({
  method: 'GET',
  path: '/api/sys/config',
  tag,
  summary: 'Read the whole configuration',
  description:
    'Answers tables, roles, relations, processes, channels, notification templates, subscriptions and rules for incoming messages as one document, without secrets. It uses names instead of ids, so you can keep it under version control or apply it to another tenant. A configuration over 4 MB is written by a job (202), as is any with `file=true`: its `result.url` downloads the document for an hour, and `result.records` counts its objects.',
  permission: administrator,
  query: ConfigurationQuery,
  answer: ConfigurationDocument,
  accepted: ConfigurationAccepted,
  example: { answer: present },
})

export const applyConfiguration = defineRoute({
  method: 'PUT',
  path: '/api/sys/config',
  operationId: 'applyConfig',
  tag,
  summary: 'Apply a configuration',
  description:
    'Creates what is missing and changes what differs; what the document does not name is kept. The whole document is checked before anything is written. With `dry_run=true` the answer reports what would change, and nothing is written. Applying the same document again changes nothing. `warnings` name what does not exist, what templates do not get, and what the document takes away from under processes, roles, subscriptions and rules (`dangling`); those of a job stand in its `result`.\n\nA body may be 4 MB, with 100,000 keys in each object. For up to 32 MB upload the document with `POST /api/files`, then send `{ "file": "<path>" }`: a job applies it (202). Its `errors` name every wrong path, each with a message, and then nothing was changed; its `result` is the answer below. `done` and `total` count each object three times: when it is checked, created if it is missing, and changed if it differs. What a request cannot finish in 20 seconds continues as such a job.',
  permission: administrator,
  query: z.object({ dry_run: z.enum(['true', 'false']).optional() }),
  flags: ['dry_run'],
  body: ConfigurationBody,
  keysPerElement: keysPerObject,
  answer: ConfigurationChanges,
  mayWarn: true,
  accepted: ConfigurationAccepted,
  example: {
    query: { dry_run: 'true' },
    body: document,
    answer: {
      created: ['tables.vendors', 'relations.Vendors of a request'],
      changed: ['roles.agent'],
      unchanged: 0,
      differences: { 'roles.agent': ['permissions: ...'] },
    },
  },
})

/** The routes of each object that this group administers. */
export const objectRoutes: readonly Route[] = Object.values(configuredObjects).flatMap(({ routes: own }): Route[] =>
  Object.values(own),
)
export const documentRoutes: readonly Route[] = [readConfiguration, applyConfiguration, ...settingsRoutes]
export const routes: readonly Route[] = [...documentRoutes, ...objectRoutes]
