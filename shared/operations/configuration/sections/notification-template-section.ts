import {
  changeTemplate,
  checkContent,
  createTemplate,
  headOf,
  type NotificationTemplateDependencies,
  templateOf,
} from '../../../messages/notification-templates/service.ts'
import type { NotificationTemplateConfiguration } from '../schema.ts'
import type { Section } from './section.ts'

/** The notification templates of a configuration, by their code. */
export function notificationTemplateSection(
  deps: NotificationTemplateDependencies,
): Section<NotificationTemplateConfiguration> {
  return {
    async read({ tenant }) {
      const templates = (await deps.config.listFresh(tenant, 'NOTIFICATION_TEMPLATE')).map(templateOf)
      return new Map(
        templates.map(({ name, code, subject, body, translations }) => [
          code,
          { name: code, label: name, subject, body, translations },
        ]),
      )
    },
    complete: ({ name, label, subject, body, translations }, before) => {
      const given = { subject, body, translations: translations ?? before?.translations ?? {} }
      const { content, errors } = checkContent(given)
      return { name, label: label ?? before?.label ?? name, ...(Object.keys(errors).length > 0 ? given : content) }
    },
    openCheck: () =>
      Promise.resolve(({ subject, body, translations = {} }) => checkContent({ subject, body, translations }).errors),
    async create(author, { name, label = name, ...texts }) {
      await createTemplate(deps, author, { ...texts, code: name, name: label })
    },
    async change(author, { name, label, ...texts }) {
      const row = await deps.config.getFresh(author.tenant, 'NOTIFICATION_CODE', name)
      if (row) await changeTemplate(deps, author, headOf(row).id, { ...texts, name: label })
    },
  }
}
