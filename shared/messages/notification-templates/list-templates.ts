import { Invalid, NotFound } from '../../kernel/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import type { PageQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import { countFitting } from '../../platform/http/routing/answer-size.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import type { Config } from '../../platform/store/config.ts'
import { codePattern, type ListedNotificationTemplate } from './schema.ts'
import {
  describeTemplate,
  headOf,
  type NotificationTemplate,
  type TemplateHead,
  templateOf,
  templateRowName,
} from './template.ts'

/** Templates that are read at once: at their largest, two answers full. */
const batchSize = 25

/**
 * The templates, newest first. Only administrators see more than id, name and code. Throws Invalid when the page is
 * larger than an answer; by cursor it ends early instead.
 */
export async function listTemplates(
  { config }: { readonly config: Pick<Config, 'list' | 'getManyFresh'> },
  caller: Caller,
  query: PageQuery,
): Promise<Page<ListedNotificationTemplate>> {
  const heads = (await config.list(caller.tenant, 'NOTIFICATION_CODE', headOf)).toSorted((a, b) => b.id - a.id)
  const page = pageOfWholeList('notification_templates', heads, query)
  if (!caller.isAdministrator) return page
  const { items, fitting } = await readFitting(config, caller.tenant, page.items)
  if (fitting === page.items.length) return { ...page, items }
  if (query.cursor)
    return { ...pageOfWholeList('notification_templates', heads, { ...query, per_page: fitting }), items }
  throw new Invalid(
    { per_page: [`These templates are larger than 4 MB; ${fitting} fit. Use a smaller per_page, then the cursor.`] },
    { code: 'page_too_large' },
  )
}

/** Reads the templates of a page until one answer is full. `fitting`: how many of `heads` were read. */
async function readFitting(
  config: Pick<Config, 'getManyFresh'>,
  tenant: TenantRef,
  heads: readonly TemplateHead[],
): Promise<{ readonly items: ListedNotificationTemplate[]; readonly fitting: number }> {
  const read: (ListedNotificationTemplate | undefined)[] = []
  for (let from = 0; from < heads.length; from += batchSize) {
    const names = heads.slice(from, from + batchSize).map(({ id }) => templateRowName(id))
    const rows = await config.getManyFresh(tenant, 'NOTIFICATION_TEMPLATE', names)
    read.push(...rows.map((row) => row && describeTemplate(templateOf(row))))
    const fitting = countFitting(read.map((one) => one ?? null))
    if (fitting < read.length) return { items: present(read.slice(0, fitting)), fitting }
  }
  return { items: present(read), fitting: heads.length }
}

/** Without those that were deleted meanwhile. */
const present = (read: readonly (ListedNotificationTemplate | undefined)[]): ListedNotificationTemplate[] =>
  read.filter((one) => one !== undefined)

/** Throws NotFound when there is no such template. */
export async function requireTemplate(
  { config }: { readonly config: Pick<Config, 'getFresh'> },
  tenant: TenantRef,
  id: number,
): Promise<NotificationTemplate> {
  const row = await config.getFresh(tenant, 'NOTIFICATION_TEMPLATE', templateRowName(id))
  if (!row) throw new NotFound('notification_template', { id })
  return templateOf(row)
}

/** The template with this code; undefined when there is none. Cached with the tenant's configuration. */
export async function findTemplate(
  { config }: { readonly config: Pick<Config, 'get'> },
  tenant: Tenant,
  code: string,
): Promise<NotificationTemplate | undefined> {
  // Scripts name templates: what cannot be a code is not looked up.
  if (!codePattern.test(code)) return undefined
  const head = await config.get(tenant, 'NOTIFICATION_CODE', code, headOf)
  return head && config.get(tenant, 'NOTIFICATION_TEMPLATE', templateRowName(head.id), templateOf)
}
