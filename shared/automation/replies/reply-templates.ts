import type { Tenant } from '../../kernel/tenancy.ts'
import { headOf, type NotificationTemplate } from '../../messages/notification-templates/template.ts'
import type { Config } from '../../platform/store/config.ts'
import { idText } from '../../platform/store/keys/key.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'

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
