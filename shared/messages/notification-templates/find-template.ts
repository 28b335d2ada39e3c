import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config } from '../../platform/store/config.ts'
import { idText } from '../../platform/store/keys/key.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import { codePattern } from './schema.ts'
import { headOf, type NotificationTemplate } from './template.ts'

/** The template with this code; undefined when there is none. Cached with the tenant's configuration. */
export async function findTemplate(
  { config }: { readonly config: Pick<Config, 'get'> },
  tenant: Tenant,
  code: string,
): Promise<NotificationTemplate | undefined> {
  // Scripts name templates: what cannot be a code is not looked up.
  if (!codePattern.test(code)) return undefined
  const head = await config.get(tenant, 'NOTIFICATION_CODE', code, headOf)
  return head && config.get(tenant, 'NOTIFICATION_TEMPLATE', idText(head.id), readObject<NotificationTemplate>)
}
