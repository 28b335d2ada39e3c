import type { RowAccess } from '../../../accounts/access/row-access.ts'
import { findPeople } from '../../../accounts/people/lookup/find-people.ts'
import { viewerOfUser } from '../../../accounts/sessions/authentication.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Viewer } from '../../../kernel/principal.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Config } from '../../../platform/store/config.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { SubscribedChange } from './subscribed-change.ts'

interface Dependencies {
  readonly store: Store
  readonly config: Pick<Config, 'list'>
  readonly access: Pick<RowAccess, 'permitted'>
}

/** Those of some users who are active people and may read the record of a change. */
export async function readersAmong(
  { store, config, access }: Dependencies,
  tenant: Tenant,
  { table, item }: Pick<SubscribedChange, 'table' | 'item'>,
  ids: readonly number[],
): Promise<Viewer[]> {
  const people = await findPeople(store, tenant, { ids }, { searchesEmail: false })
  const readers = await Promise.all(
    people.map(async (user) => {
      const viewer = await viewerOfUser(config, tenant, user)
      if (!mayOnTable(viewer, table.name, 'read')) return []
      const [permitted] = await access.permitted(viewer, table.name, 'read', [item])
      return permitted ? [viewer] : []
    }),
  )
  return readers.flat()
}
