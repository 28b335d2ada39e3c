import * as z from 'zod'
import { ConfigurationChanges, ConfigurationDocument } from '../../shared/configuration/schema.ts'
import { administrator, defineRoute, type Route } from '../../shared/http/routing/define-route.ts'
import { routes as settingsRoutes } from './settings-routes.ts'

const tag = 'Configuration'
const document = {
  roles: [{ name: 'agent', permissions: ['requests.*'] }],
  tables: [
    {
      name: 'clients',
      label: 'Clients',
      title_field: 'name',
      table_fields: [{ name: 'name', type: 'text' as const, required: true }],
      automations: [],
    },
    {
      name: 'requests',
      label: 'Requests',
      title_field: 'title',
      table_fields: [
        { name: 'title', type: 'text' as const, required: true },
        { name: 'client_id', type: 'model_list' as const, target_table: 'clients' },
      ],
      automations: [],
    },
  ],
  relations: [{ name: 'watchers', l_table: 'requests', r_table: 'clients' }],
}

export const readConfiguration = defineRoute({
  method: 'GET',
  path: '/api/sys/config',
  tag,
  summary: 'Read the whole configuration',
  description:
    'Answers roles, tables, relations, processes, channels and notification templates as one document, without secrets. It uses names instead of ids, so you can keep it under version control or apply it to another tenant.',
  permission: administrator,
  answer: ConfigurationDocument,
  example: { answer: document },
})

export const applyConfiguration = defineRoute({
  method: 'PUT',
  path: '/api/sys/config',
  tag,
  summary: 'Apply a configuration',
  description:
    'Creates what is missing and changes what differs; what the document does not name is kept. The whole document is checked before anything is written. With `dry_run=true` the answer reports what would change, and nothing is written. Applying the same document again changes nothing.',
  permission: administrator,
  query: z.object({ dry_run: z.enum(['true', 'false']).optional() }),
  flags: ['dry_run'],
  body: ConfigurationDocument.extend({
    dry_run: z.boolean().optional().meta({ description: 'Here or in the query: reports, and writes nothing.' }),
  }),
  answer: ConfigurationChanges,
  example: {
    query: { dry_run: 'true' },
    body: document,
    answer: {
      created: ['roles.agent', 'tables.clients', 'relations.watchers'],
      changed: ['tables.requests'],
      unchanged: 0,
      differences: {
        'tables.requests': [
          'table_fields.client_id: added {"name":"client_id","type":"model_list","target_table":"clients"}',
        ],
      },
    },
  },
})

export const routes: readonly Route[] = [readConfiguration, applyConfiguration, ...settingsRoutes]
