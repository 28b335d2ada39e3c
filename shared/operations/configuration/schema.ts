import * as z from 'zod'
import { NewRoleBody } from '../../accounts/schema.ts'
import { DecisionDocument } from '../../automation/decisions/schema.ts'
import { IncomingActionDocument } from '../../automation/incoming-actions/schema.ts'
import { MacroDocument, macroRoutes } from '../../automation/macros/schema.ts'
import { PortalItemDocument, portalItemRoutes } from '../../automation/portal-items/schema.ts'
import { TemplateInput } from '../../automation/processes/schema.ts'
import { SnippetDocument, snippetRoutes } from '../../automation/snippets/schema.ts'
import { SubscriptionDocument, subscriptionRoutes } from '../../automation/subscriptions/schema.ts'
import { maxConfiguredItems, maxConfiguredRules } from '../../kernel/limits/configuration.ts'
import { maxProcessNameCharacters } from '../../kernel/limits/processes.ts'
import { maxFilePathCharacters } from '../../kernel/limits/records.ts'
import { ChannelInput } from '../../messages/channels/schema.ts'
import { NotificationTemplateDocument } from '../../messages/notification-templates/schema.ts'
import { readOnlyNames } from '../../platform/configured-objects/schema.ts'
import { RelationInput } from '../../records/relations/schema.ts'
import { ViewDocument } from '../../records/views/schema.ts'
import { TableInput } from '../../tables/tables/schema.ts'
import { ImportMappingDocument, importMappingRoutes } from '../import-mappings/schema.ts'

/** A process template; `name` is its code. */
const ProcessDocument = TemplateInput.omit({ ...readOnlyNames, code: true, name: true }).extend({
  table: z.string(),
  name: z.string(),
  label: z.string().trim().min(1).max(maxProcessNameCharacters).optional(),
})

/** No object that is stored in one item of 400 KB has more keys. */
export const keysPerObject = 100_000

/** The objects whose administration is an endpoint of its own beside this document: their routes and their documents. */
export const configuredObjects = {
  subscriptions: {
    routes: subscriptionRoutes,
    document: SubscriptionDocument,
    says: 'Channels by name, users by address.',
  },
  macros: {
    routes: macroRoutes,
    document: MacroDocument,
    says: 'Macros; one that gives records to a user by an id is left out.',
  },
  portal_items: {
    routes: portalItemRoutes,
    document: PortalItemDocument,
    says: 'What people may ask for in the portal.',
  },
  snippets: {
    routes: snippetRoutes,
    document: SnippetDocument,
    says: 'Texts that people insert into what they write.',
  },
  import_mappings: {
    routes: importMappingRoutes,
    document: ImportMappingDocument,
    says: 'Mappings of files that people saved for imports.',
  },
}

type ObjectDocuments = {
  readonly [Name in keyof typeof configuredObjects]: z.ZodOptional<
    z.ZodArray<(typeof configuredObjects)[Name]['document']>
  >
}
const objectDocuments = Object.fromEntries(
  Object.entries(configuredObjects).map(([name, { document, says }]) => [
    name,
    z.array(document).max(maxConfiguredItems).optional().meta({ description: says }),
  ]),
) as ObjectDocuments

/** The configuration of a tenant as one document: names instead of ids, so that it means the same in every tenant. */
export const ConfigurationDocument = z.strictObject({
  roles: z.array(NewRoleBody).max(maxConfiguredItems).optional(),
  tables: z
    .array(TableInput.omit({ ...readOnlyNames, is_system: true, relations: true, rebuilding: true }))
    .max(maxConfiguredItems)
    .optional(),
  relations: z.array(RelationInput.omit(readOnlyNames)).max(maxConfiguredItems).optional(),
  decisions: z
    .array(DecisionDocument)
    .max(maxConfiguredItems)
    .optional()
    .meta({ description: 'Decisions: `name` is the code, `label` the name.' }),
  processes: z.array(ProcessDocument).max(maxConfiguredItems).optional(),
  channels: z
    .array(ChannelInput.omit(readOnlyNames))
    .max(maxConfiguredItems)
    .optional()
    .meta({ description: 'Without their secrets, which are set at each channel.' }),
  templates: z
    .array(NotificationTemplateDocument)
    .max(maxConfiguredItems)
    .optional()
    .meta({ description: 'Notification templates: `name` is the code, `label` the name.' }),
  ...objectDocuments,
  views: z
    .array(ViewDocument)
    .max(maxConfiguredItems)
    .optional()
    .meta({ description: 'Shared views; `name` is the table and the name of the view: `requests.Urgent`.' }),
  incoming_actions: z.array(IncomingActionDocument).max(maxConfiguredRules).optional().meta({
    description: 'Rules that turn incoming messages into records.',
  }),
})
export type ConfigurationDocument = z.output<typeof ConfigurationDocument>
export type TableConfiguration = NonNullable<ConfigurationDocument['tables']>[number]
export type RoleConfiguration = NonNullable<ConfigurationDocument['roles']>[number]
export type RelationConfiguration = NonNullable<ConfigurationDocument['relations']>[number]

export type ChannelConfiguration = NonNullable<ConfigurationDocument['channels']>[number]
export type NotificationTemplateConfiguration = NonNullable<ConfigurationDocument['templates']>[number]
export type SubscriptionConfiguration = NonNullable<ConfigurationDocument['subscriptions']>[number]
export type IncomingActionConfiguration = NonNullable<ConfigurationDocument['incoming_actions']>[number]
export type ProcessConfiguration = NonNullable<ConfigurationDocument['processes']>[number]

export const ConfigurationQuery = z.object({
  file: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'True: a file in any case (202), however small the configuration is.' }),
})

export const ConfigurationBody = ConfigurationDocument.extend({
  dry_run: z.boolean().optional().meta({ description: 'Here or in the query: reports, and writes nothing.' }),
  file: z.string().max(maxFilePathCharacters).optional().meta({
    description:
      'Instead of the sections: the path of an uploaded file (`POST /api/files`) that holds the document, up to 32 MB. A job applies it (202).',
  }),
})
export type ConfigurationBody = z.output<typeof ConfigurationBody>

export const ConfigurationAccepted = z.object({
  job_id: z.int().meta({ description: 'Its progress and result: `GET /api/sys/jobs/{id}`.' }),
})
export type ConfigurationAccepted = z.output<typeof ConfigurationAccepted>

export const ConfigurationChanges = z.object({
  created: z.array(z.string()).meta({ description: 'What the document adds, such as `tables.requests`.' }),
  changed: z.array(z.string()),
  unchanged: z.int(),
  differences: z
    .record(z.string(), z.array(z.string()))
    .meta({ description: 'For everything changed, line by line: `table_fields.priority.max: 5 → 9`.' }),
  note: z.string().optional().meta({ description: 'How much is left out of the lists, if they would be too long.' }),
})
export type ConfigurationChanges = z.output<typeof ConfigurationChanges>
