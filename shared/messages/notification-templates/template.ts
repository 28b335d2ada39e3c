import type { Tenant } from '../../kernel/tenancy.ts'
import { standardFieldsByName } from '../../lists/query/grammar/field.ts'
import type { Config, ConfigRow, RowTimes } from '../../platform/store/config.ts'
import { idText } from '../../platform/store/keys/key.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import { codePattern } from './schema.ts'
import type { TemplateContent } from './translation.ts'

/** A notification template as it is stored. */
export interface NotificationTemplate extends TemplateContent, RowTimes {
  readonly id: number
  readonly name: string
  /** Unique; scripts name the template by it. */
  readonly code: string
  readonly version: number
}

/** What is listed without reading the texts. */
export type TemplateHead = Pick<NotificationTemplate, 'id' | 'name' | 'code'>

/** Reads the row of a code. */
export const headOf = ({ name, doc }: ConfigRow): TemplateHead => ({
  ...(doc as Pick<TemplateHead, 'id' | 'name'>),
  code: name,
})
/** The row of a code: it finds the template, keeps its code unique, and lists it. */
export const headRow = ({ id, name, code, version, createdAt }: NotificationTemplate): ConfigRow => ({
  name: code,
  version,
  createdAt,
  doc: { id, name },
})

/** A record as every template has it: `{{record.title}}` and `{{record.data.title}}` are the same. `flat`: without `data`. */
export const templateRecord = (flat: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  data: Object.fromEntries(Object.entries(flat).filter(([name]) => !standardFieldsByName.has(name))),
  ...flat,
})

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
