import { findPeople } from '../../accounts/people/lookup/find-people.ts'
import { viewerOfUser } from '../../accounts/sessions/authentication.ts'
import type { Viewer } from '../../kernel/principal.ts'
import type { Tenant } from '../../kernel/tenancy.ts'
import type { Config } from '../../platform/store/config.ts'
import type { Store } from '../../platform/store/store.ts'

/** The active people with these ids, with their rights. */
export async function viewersOf(
  {
    store,
    config,
  }: { readonly store: Pick<Store, 'get' | 'getMany' | 'query'>; readonly config: Pick<Config, 'list'> },
  tenant: Tenant,
  ids: readonly number[],
): Promise<Viewer[]> {
  const people = await findPeople(store, tenant, { ids }, { searchesEmail: false })
  return Promise.all(people.map((user) => viewerOfUser(config, tenant, user)))
}
