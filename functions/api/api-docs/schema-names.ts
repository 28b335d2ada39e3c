import * as z from 'zod'
import * as rowRules from '../../../shared/accounts/access/schema.ts'
import * as auth from '../../../shared/accounts/schema.ts'
import * as incomingActions from '../../../shared/automation/incoming-actions/schema.ts'
import * as processes from '../../../shared/automation/processes/schema.ts'
import * as replies from '../../../shared/automation/replies/schema.ts'
import * as subscriptions from '../../../shared/automation/subscriptions/schema.ts'
import * as query from '../../../shared/lists/query/schema.ts'
import * as bell from '../../../shared/messages/bell/schema.ts'
import * as channels from '../../../shared/messages/channels/schema.ts'
import * as deliveries from '../../../shared/messages/deliveries/schema.ts'
import * as inboundSources from '../../../shared/messages/inbound-sources/schema.ts'
import * as incomingMessages from '../../../shared/messages/incoming-messages/schema.ts'
import * as mailbox from '../../../shared/messages/mailbox/schema.ts'
import * as messenger from '../../../shared/messages/messenger/schema.ts'
import * as notificationTemplates from '../../../shared/messages/notification-templates/schema.ts'
import * as preferences from '../../../shared/messages/preferences/schema.ts'
import * as senders from '../../../shared/messages/senders/schema.ts'
import * as configuration from '../../../shared/operations/configuration/schema.ts'
import * as importExport from '../../../shared/operations/import-export/schema.ts'
import * as importMappings from '../../../shared/operations/import-mappings/schema.ts'
import * as tenantLife from '../../../shared/operations/tenant-life/schema.ts'
import * as timeline from '../../../shared/operations/timeline/schema.ts'
import * as jobs from '../../../shared/platform/jobs/schema.ts'
import * as settings from '../../../shared/platform/settings/schema.ts'
import * as comments from '../../../shared/records/comments/schema.ts'
import * as history from '../../../shared/records/history/schema.ts'
import * as presence from '../../../shared/records/presence/schema.ts'
import * as records from '../../../shared/records/records/schema.ts'
import * as relations from '../../../shared/records/relations/schema.ts'
import * as scripts from '../../../shared/scripts/schema.ts'
import * as files from '../../../shared/tables/files/schema.ts'
import * as tables from '../../../shared/tables/tables/schema.ts'

/** The slices whose schemas appear in the reference. */
const slices: readonly Readonly<Record<string, unknown>>[] = [
  auth,
  bell,
  channels,
  comments,
  configuration,
  deliveries,
  files,
  history,
  importExport,
  importMappings,
  inboundSources,
  incomingActions,
  incomingMessages,
  jobs,
  mailbox,
  messenger,
  notificationTemplates,
  preferences,
  presence,
  processes,
  query,
  records,
  relations,
  replies,
  rowRules,
  scripts,
  senders,
  settings,
  subscriptions,
  tables,
  tenantLife,
  timeline,
]

/** Schemas that describe a text or the absence of a body, which reads better where it stands. */
const inline: ReadonlySet<string> = new Set(['pipe', 'optional', 'string'])

/**
 * The names of schemas in the OpenAPI document: what the slices call them. Clients see these names, so a rename changes
 * the types that they generate.
 */
export const schemaNames: ReadonlyMap<z.ZodType, string> = new Map(
  slices.flatMap((slice) =>
    Object.entries(slice).flatMap(([name, value]): [z.ZodType, string][] =>
      value instanceof z.ZodType && !inline.has(value.def.type) ? [[value, name]] : [],
    ),
  ),
)
