import { placeholdersOf } from '../../../messages/notification-templates/missing-variables.ts'
import type { ConfigurationDocument } from '../schema.ts'

/** What a document gives that others may name: after it is applied all of it exists, whatever the order. */
export const namesAdded = ({
  roles = [],
  channels = [],
  templates = [],
  processes = [],
  decisions = [],
}: ConfigurationDocument) => ({
  roles: roles.map(({ name }) => name),
  decisions: decisions.map(({ name }) => name),
  channels: channels.map(({ name }) => name),
  processes: processes.map(({ name, table, is_active = true }) => ({
    code: name,
    table,
    isActive: is_active,
    isTriggered: false,
  })),
  templates: new Map(
    templates.map(({ name, subject, body, translations = {} }) => [
      name,
      placeholdersOf({ subject, body, translations }),
    ]),
  ),
})
