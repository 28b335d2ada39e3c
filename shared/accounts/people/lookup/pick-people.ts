import type * as z from 'zod'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { pageOfWholeList } from '../../../platform/http/paging/whole-list.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import type { Store } from '../../../platform/store/store.ts'
import { findPeople } from './find-people.ts'
import type { PeopleFilter, PickedPerson } from './people-schema.ts'

/**
 * Answers one page of the active people of the caller's tenant, by name. Their addresses are shown, and searched, only
 * with the permission `users.read`.
 */
export async function pickPeople(
  store: Pick<Store, 'get' | 'getMany' | 'query'>,
  caller: Caller,
  { ids, role, search, ...paging }: z.output<typeof PeopleFilter>,
): Promise<Page<z.input<typeof PickedPerson>>> {
  const seesEmail = mayOnTable(caller, 'users', 'read')
  const people = await findPeople(store, caller.tenant, { ids, role, search }, { searchesEmail: seesEmail })
  const shown = people.map(({ id, name, email }) => ({ id, name, ...(seesEmail && email !== null && { email }) }))
  return pageOfWholeList('people', shown, paging)
}
