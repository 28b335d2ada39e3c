import type { NotificationTemplateInput } from '../../../messages/notification-templates/schema.ts'
import {
  checkContent,
  headOf,
  type NotificationTemplate,
  notificationTemplates,
} from '../../../messages/notification-templates/service.ts'
import type { AdministrationDependencies } from '../../../platform/configured-objects/service.ts'
import type { NotificationTemplateConfiguration } from '../schema.ts'
import { objectSection } from './object-section.ts'
import type { Section } from './section.ts'

/** The notification templates of a configuration, by their code. */
export const notificationTemplateSection = (
  services: AdministrationDependencies,
): Section<NotificationTemplateConfiguration> =>
  objectSection<
    NotificationTemplate,
    NotificationTemplateConfiguration,
    NotificationTemplateInput,
    AdministrationDependencies
  >(notificationTemplates, services, {
    documentsOf: (_, all) =>
      all.map(({ name, code, subject, body, translations }) => ({
        name: code,
        label: name,
        subject,
        body,
        translations,
      })),
    inputOf: ({ name, label = name, ...texts }) => ({ ...texts, code: name, name: label }),
    async idOf({ name }, tenant) {
      const row = await services.config.getFresh(tenant, 'NOTIFICATION_CODE', name)
      return row && headOf(row).id
    },
    complete: ({ name, label, subject, body, translations }, before) => {
      const given = { subject, body, translations: translations ?? before?.translations ?? {} }
      const { content, errors } = checkContent(given)
      return { name, label: label ?? before?.label ?? name, ...(Object.keys(errors).length > 0 ? given : content) }
    },
    openCheck: () =>
      Promise.resolve(({ subject, body, translations = {} }) => checkContent({ subject, body, translations }).errors),
  })
