import type { Caller } from '../../../kernel/principal.ts'
import type { ListQuery } from '../../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../../platform/http/paging/whole-list.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import type { PortalItem } from '../../portal-items/portal-item.ts'
import { itemsFor } from '../../portal-items/portal-items.ts'
import type { PortalDependencies } from '../dependencies.ts'
import type { OfferedItem } from '../schema.ts'

/** An item as people see it who may send it. */
export const describeItem = ({ id, name, description, category, icon, position }: PortalItem): OfferedItem => ({
  id,
  name,
  description,
  category,
  icon,
  position,
})

/** The items that the caller may send, by position. */
export async function listItems(
  services: Pick<PortalDependencies, 'config'>,
  caller: Caller,
  query: ListQuery,
): Promise<Page<OfferedItem>> {
  return pageOfWholeList('items', (await itemsFor(services, caller)).map(describeItem), query)
}
