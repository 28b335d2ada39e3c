import { Invalid } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import { countFitting } from '../../platform/http/routing/answer-size.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import type { Config } from '../../platform/store/config.ts'
import { idText } from '../../platform/store/keys/key.ts'
import { readObject } from '../../platform/store/rows/object-row.ts'
import { notificationTemplates } from './notification-templates.ts'
import type { ListedNotificationTemplate } from './schema.ts'
import { headOf, type NotificationTemplate, type TemplateHead } from './template.ts'

/** Templates that are read at once: at their largest, two answers full. */
const batchSize = 25

/**
 * The templates, newest first. Only administrators see more than id, name and code. Throws Invalid when the page is
 * larger than an answer; by cursor it ends early instead.
 */
export async function listTemplates(
  { config }: { readonly config: Pick<Config, 'list' | 'getManyFresh'> },
  caller: Caller,
  query: ListQuery,
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
    const names = heads.slice(from, from + batchSize).map(({ id }) => idText(id))
    const rows = await config.getManyFresh(tenant, 'NOTIFICATION_TEMPLATE', names)
    read.push(...rows.map((row) => row && notificationTemplates.describe(readObject<NotificationTemplate>(row), null)))
    const fitting = countFitting(read.map((one) => one ?? null))
    if (fitting < read.length) return { items: present(read.slice(0, fitting)), fitting }
  }
  return { items: present(read), fitting: heads.length }
}

/** Without those that were deleted meanwhile. */
const present = (read: readonly (ListedNotificationTemplate | undefined)[]): ListedNotificationTemplate[] =>
  read.filter((one) => one !== undefined)
