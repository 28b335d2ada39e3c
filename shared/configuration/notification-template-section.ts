import type { FieldErrors } from '../kernel/faults.ts'
import {
  changeTemplate,
  checkContent,
  createTemplate,
  headOf,
  type NotificationTemplateDependencies,
  templateOf,
} from '../notification-templates/service.ts'
import type { NotificationTemplateConfiguration } from './schema.ts'
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
    async check(_caller, documents) {
      const errors: FieldErrors = {}
      for (const [index, { subject, body, translations = {} }] of documents.entries()) {
        for (const [path, messages] of Object.entries(checkContent({ subject, body, translations }).errors))
          errors[`${index}.${path}`] = messages
      }
      return errors
    },
    async create(caller, { name, label = name, ...texts }) {
      await createTemplate(deps, caller, { ...texts, code: name, name: label })
    },
    async change(caller, { name, label, ...texts }) {
      const row = await deps.config.getFresh(caller.tenant, 'NOTIFICATION_CODE', name)
      if (row) await changeTemplate(deps, caller, headOf(row).id, { ...texts, name: label })
    },
  }
}
