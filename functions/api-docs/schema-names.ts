import * as z from 'zod'
import * as auth from '../../shared/auth/schema.ts'
import * as bell from '../../shared/bell/schema.ts'
import * as channels from '../../shared/channels/schema.ts'
import * as comments from '../../shared/comments/schema.ts'
import * as configuration from '../../shared/configuration/schema.ts'
import * as deliveries from '../../shared/deliveries/schema.ts'
import * as files from '../../shared/files/schema.ts'
import * as history from '../../shared/history/schema.ts'
import * as importExport from '../../shared/import-export/schema.ts'
import * as inboundSources from '../../shared/inbound-sources/schema.ts'
import * as incomingActions from '../../shared/incoming-actions/schema.ts'
import * as incomingMessages from '../../shared/incoming-messages/schema.ts'
import * as jobs from '../../shared/jobs/schema.ts'
import * as mailbox from '../../shared/mailbox/schema.ts'
import * as messenger from '../../shared/messenger/schema.ts'
import * as notificationTemplates from '../../shared/notification-templates/schema.ts'
import * as preferences from '../../shared/preferences/schema.ts'
import * as processes from '../../shared/processes/schema.ts'
import * as query from '../../shared/query/schema.ts'
import * as records from '../../shared/records/schema.ts'
import * as relations from '../../shared/relations/schema.ts'
import * as rowRules from '../../shared/row-rules/schema.ts'
import * as scripts from '../../shared/scripts/schema.ts'
import * as senders from '../../shared/senders/schema.ts'
import * as settings from '../../shared/settings/schema.ts'
import * as subscriptions from '../../shared/subscriptions/schema.ts'
import * as tables from '../../shared/tables/schema.ts'
import * as tenantLife from '../../shared/tenant-life/schema.ts'
import * as timeline from '../../shared/timeline/schema.ts'

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
  inboundSources,
  incomingActions,
  incomingMessages,
  jobs,
  mailbox,
  messenger,
  notificationTemplates,
  preferences,
  processes,
  query,
  records,
  relations,
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
