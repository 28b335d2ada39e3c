import { checkContent } from '../../../messages/notification-templates/check-content.ts'
import { notificationTemplates } from '../../../messages/notification-templates/notification-templates.ts'
import type { NotificationTemplateInput } from '../../../messages/notification-templates/schema.ts'
import { headOf, type NotificationTemplate } from '../../../messages/notification-templates/template.ts'
import type { AdministrationDependencies } from '../../../platform/configured-objects/configured-object.ts'
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
