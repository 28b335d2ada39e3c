import { NotFound } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { placeholdersOf } from '../../messages/notification-templates/placeholders.ts'
import { plainText } from '../../messages/notification-templates/plain-text.ts'
import { renderTemplate } from '../../messages/notification-templates/render-template.ts'
import { headOf, type NotificationTemplate } from '../../messages/notification-templates/template.ts'
import { readTimeZone } from '../../platform/settings/read-settings.ts'
import type { Config } from '../../platform/store/config.ts'
import { idText } from '../../platform/store/keys/key.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import { createRecordReads } from '../../records/records/read/record-reads.ts'
import type { RecordRef } from './dependencies.ts'
import { replyValues, type ValueDependencies } from './reply-values.ts'
import type { FilledTemplate } from './schema.ts'

/** Codes of templates that people write replies with. All others are mails that the service sends by itself. */
const replyCode = /^reply(?:[_.-]|$)/i

const byName = new Intl.Collator('en', { numeric: true })

/** The texts for replies of a tenant, by name. */
export async function listReplyTemplates({ config }: { readonly config: Pick<Config, 'list'> }, tenant: Tenant) {
  const heads = await config.list(tenant, 'NOTIFICATION_CODE', headOf)
  return heads.filter(({ code }) => replyCode.test(code)).toSorted((a, b) => byName.compare(a.name, b.name))
}

/** A text for replies; undefined when no template with this id is one. */
export async function findReplyTemplate(
  { config }: { readonly config: Pick<Config, 'get'> },
  tenant: Tenant,
  id: number,
): Promise<NotificationTemplate | undefined> {
  const found = await config.get(tenant, 'NOTIFICATION_TEMPLATE', idText(id), readObject<NotificationTemplate>)
  return found && replyCode.test(found.code) ? found : undefined
}

/**
 * A text for replies with the values of a record that the caller may read and update, in the language of whoever gets it: `record`,
 * `user` (the caller), `url`, and `requester` with `name` and `email`. References of the record have the fields of what they
 * name. Throws NotFound, and Forbidden when the caller may not update the record.
 */
export async function fillTemplate(
  services: ValueDependencies,
  caller: Caller,
  record: RecordRef,
  templateId: number,
): Promise<FilledTemplate> {
  const { store, config, access } = services
  const { tenant } = caller
  const item = await store.get(tenant, recordKey(tenant, record.model, record.id))
  await createRecordReads(services).get(caller, record.model, record.id, item ?? null)
  await access.require(caller, record.model, record.id, 'update', item)
  const template = await findReplyTemplate(services, tenant, templateId)
  if (!template) throw new NotFound('notification_template', { id: templateId })
  const { params, locale } = await replyValues(services, caller, record, placeholdersOf(template))
  const { subject, html, missing } = await renderTemplate(template, params, locale, await readTimeZone(config, tenant))
  return {
    id: template.id,
    name: template.name,
    code: template.code,
    subject,
    text: (await plainText(html, null)).trim(),
    missing,
  }
}
