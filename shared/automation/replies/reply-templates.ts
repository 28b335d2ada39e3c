import { localeOfAddress } from '../../accounts/people/lookup/user-of-address.ts'
import { NotFound } from '../../kernel/failures/faults.ts'
import { mayOnTable } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { NamesTables } from '../../kernel/table-names.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import { placeholdersOf } from '../../messages/notification-templates/placeholders.ts'
import { plainText } from '../../messages/notification-templates/plain-text.ts'
import { renderTemplate } from '../../messages/notification-templates/render-template.ts'
import { headOf, type NotificationTemplate, templateRecord } from '../../messages/notification-templates/template.ts'
import type { MailRecord } from '../../platform/mail/record-thread.ts'
import { readTimeZone } from '../../platform/settings/read-settings.ts'
import type { Config } from '../../platform/store/config.ts'
import { idText } from '../../platform/store/keys/key.ts'
import { recordKey } from '../../platform/store/keys/records.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import { createRecordReads } from '../../records/records/read/record-reads.ts'
import type { RecordRef, ReplyDependencies } from './dependencies.ts'
import { chatWay, mailWay } from './reply-ways.ts'
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

interface FillDependencies extends ReplyDependencies {
  /** Where people find a record. */
  readonly recordUrl: (tenant: NamesTables, record: MailRecord) => string
}

/**
 * A text for replies with the values of a record that the caller may read and update, in the language of whoever gets it: `record`,
 * `user` (the caller), `url`, and `requester` with `name` and `email`. References of the record have the fields of what they
 * name. Throws NotFound, and Forbidden when the caller may not update the record.
 */
export async function fillTemplate(
  services: FillDependencies,
  caller: Caller,
  record: RecordRef,
  templateId: number,
): Promise<FilledTemplate> {
  const { tenant } = caller
  const { model, id } = record
  const item = await services.store.get(tenant, recordKey(tenant, model, id))
  const read = await createRecordReads(services).get(caller, model, id, item ?? null)
  await services.access.require(caller, model, id, 'update', item)
  const template = await findReplyTemplate(services, tenant, templateId)
  if (!template) throw new NotFound('notification_template', { id: templateId })
  const used = placeholdersOf(template)
  const [way, chat] = await Promise.all([mailWay(services, caller, record), chatWay(services, caller, record)])
  const email = 'problem' in way ? null : way.recipient
  const name = 'problem' in way || way.name === null ? ('problem' in chat ? null : chat.name) : way.name
  const { data, ...standard } = read
  const referenced = await referencedData(services, caller, model, data, used)
  const params = {
    record: templateRecord({ ...data, ...referenced, ...standard }),
    user: { id: caller.userId, name: caller.name, email: caller.email },
    url: services.recordUrl(tenant, record),
    requester: { ...(name !== null && { name }), ...(email !== null && { email }) },
  }
  const locale = email === null ? null : await localeOfAddress(services.store)(tenant, email)
  const { subject, html, missing } = await renderTemplate(
    template,
    params,
    locale,
    await readTimeZone(services.config, tenant),
  )
  return {
    id: template.id,
    name: template.name,
    code: template.code,
    subject,
    text: (await plainText(html, null)).trim(),
    missing,
  }
}

/** What the references that a template looks into name, with their fields, as far as the caller may read them. */
async function referencedData(
  services: FillDependencies,
  caller: Caller,
  model: string,
  data: Readonly<Record<string, unknown>>,
  used: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const table = await services.tables.require(caller.tenant, model)
  const reads = createRecordReads(services)
  const found = await Promise.all(
    table.table_fields.map(async (field) => {
      const { target_table: target } = field as { readonly target_table?: string }
      const value = data[field.name]
      if (target === undefined || typeof value !== 'number' || !mayOnTable(caller, target, 'read')) return []
      const isAsked = used.some((path) => new RegExp(`^record\\.(data\\.)?${field.name}\\.`).test(path))
      const [other] = isAsked ? await reads.findMany(caller, target, [value]) : []
      return other ? [[field.name, { ...other.data, id: other.id }] as const] : []
    }),
  )
  return Object.fromEntries(found.flat())
}
