import * as z from 'zod'
import { NewRoleBody } from '../auth/schema.ts'
import { ChannelInput } from '../channels/schema.ts'
import { IncomingActionDocument } from '../incoming-actions/schema.ts'
import { NotificationTemplateDocument } from '../notification-templates/schema.ts'
import { TemplateInput } from '../processes/schema.ts'
import { RelationInput } from '../relations/schema.ts'
import { SubscriptionDocument } from '../subscriptions/schema.ts'
import { TableInput } from '../tables/schema.ts'

/** A process template; `name` is its code. */
const ProcessDocument = TemplateInput.omit({ id: true, version: true, code: true, name: true }).extend({
  name: z.string(),
  label: z.string().trim().min(1).max(200).optional(),
})

/** The configuration of a tenant as one document: names instead of ids, so that it means the same in every tenant. */
export const ConfigurationDocument = z.strictObject({
  roles: z.array(NewRoleBody).max(1000).optional(),
  tables: z
    .array(TableInput.omit({ id: true, version: true, is_system: true, relations: true, rebuilding: true }))
    .max(1000)
    .optional(),
  relations: z
    .array(RelationInput.omit({ id: true, version: true }))
    .max(1000)
    .optional(),
  processes: z.array(ProcessDocument).max(1000).optional(),
  channels: z
    .array(ChannelInput.omit({ id: true, version: true }))
    .max(1000)
    .optional()
    .meta({ description: 'Without their secrets, which are set at each channel.' }),
  templates: z
    .array(NotificationTemplateDocument)
    .max(1000)
    .optional()
    .meta({ description: 'Notification templates: `name` is the code, `label` the name.' }),
  subscriptions: z
    .array(SubscriptionDocument)
    .max(1000)
    .optional()
    .meta({ description: 'Channels by name, users by address.' }),
  incoming_actions: z.array(IncomingActionDocument).max(200).optional().meta({
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

export const ConfigurationChanges = z.object({
  created: z.array(z.string()).meta({ description: 'What the document adds, such as `tables.requests`.' }),
  changed: z.array(z.string()),
  unchanged: z.int(),
  differences: z
    .record(z.string(), z.array(z.string()))
    .meta({ description: 'For everything changed, line by line: `table_fields.priority.max: 5 → 9`.' }),
})
export type ConfigurationChanges = z.output<typeof ConfigurationChanges>
