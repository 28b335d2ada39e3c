import { placeholdersOf } from '../../../messages/notification-templates/service.ts'
import type { ConfigurationDocument } from '../schema.ts'

/** What a document gives that others may name: after it is applied all of it exists, whatever the order. */
export const namesAdded = ({ roles = [], channels = [], templates = [] }: ConfigurationDocument) => ({
  roles: roles.map(({ name }) => name),
  channels: channels.map(({ name }) => name),
  templates: new Map(
    templates.map(({ name, subject, body, translations = {} }) => [
      name,
      placeholdersOf({ subject, body, translations }),
    ]),
  ),
})
