import { roleOf } from '../../accounts/roles/role.ts'
import { NotFound } from '../../kernel/failures/faults.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import {
  type AdministrationDependencies,
  configuredObject,
} from '../../platform/configured-objects/configured-object.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Tables } from '../../tables/tables/read-tables.ts'
import { checkItem, type ItemNames } from './check-item.ts'
import { mayRequest, type PortalItem } from './portal-item.ts'
import type { PortalItemAnswer, PortalItemInput } from './schema.ts'

export interface PortalItemDependencies extends AdministrationDependencies {
  readonly tables: Pick<Tables, 'find' | 'all'>
  /** What a configuration document makes that is checked. */
  readonly added?: { readonly roles: readonly string[] }
}

/** What administrators set of an item. */
type ItemMembers = Omit<PortalItemAnswer, 'id' | 'created_at' | 'updated_at' | 'version' | 'problem'>

const administered = configuredObject<
  PortalItem,
  ItemMembers,
  PortalItemAnswer,
  PortalItemInput,
  PortalItemDependencies
>({
  kind: 'PORTAL_ITEM',
  sequence: 'sys_portal_items',
  called: { one: 'item', list: 'portal items' },
  members: {
    name: {},
    description: { unset: null },
    category: { unset: null },
    icon: { unset: null },
    model: {},
    fields: {},
    defaults: { unset: null },
    roles: { unset: null },
    is_active: { unset: true },
    position: { unset: 0 },
    state_field: { unset: null },
    public_states: { unset: null },
    public_fields: { unset: null },
    reopen_state: { unset: null },
  },
  normalize: (draft) => ({ ...draft, roles: draft.roles?.length ? draft.roles : null }),
  misses: (services, { tenant }, draft) => checkItem(namesOf(services, tenant), tenant, draft),
})

/** What an item may name. */
const namesOf = ({ tables, config, added }: PortalItemDependencies, tenant: Tenant): ItemNames => ({
  find: (name) => tables.find(tenant, name),
  tables: async () => (await tables.all(tenant)).map(({ name }) => name),
  roles: async () => [...(await config.list(tenant, 'ROLE', roleOf)).map(({ name }) => name), ...(added?.roles ?? [])],
})

const byPosition = (a: PortalItem, b: PortalItem): number => a.position - b.position || a.id - b.id

/** The items of the portal of a tenant, as administrators keep them. */
export const portalItems = {
  ...administered,

  /** One page of the items, by `position` unless asked otherwise. */
  async list(services: PortalItemDependencies, caller: Pick<Caller, 'tenant'>, query: ListQuery) {
    const all = (await administered.all(services, caller.tenant)).toSorted(byPosition)
    const page = pageOfWholeList('portal items', all, query, (one) => administered.describe(one, null))
    return {
      ...page,
      items: await Promise.all(page.items.map(({ id }) => administered.get(services, caller, id))),
    }
  },
}

type Reading = Pick<PortalItemDependencies, 'config'>

/** The items that a caller may send requests of, by position. */
export const itemsFor = async (services: Reading, caller: Caller): Promise<readonly PortalItem[]> =>
  (await administered.all(services, caller.tenant))
    .filter((one) => one.is_active && mayRequest(caller, one))
    .toSorted(byPosition)

/** An item that the caller may send requests of. Throws NotFound. */
export async function findItemFor(services: Reading, caller: Caller, id: number): Promise<PortalItem> {
  const item = await administered.find(services, caller.tenant, id)
  if (!item.is_active || !mayRequest(caller, item)) throw new NotFound('portal_item', { id })
  return item
}

/** An item whatever became of it since a request was sent; undefined once it is deleted. */
export async function itemOf(services: Reading, tenant: Tenant, id: number): Promise<PortalItem | undefined> {
  return (await administered.all(services, tenant)).find((one) => one.id === id)
}
