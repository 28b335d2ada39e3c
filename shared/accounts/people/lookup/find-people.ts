import type { TenantRef } from '../../../kernel/tenancy.ts'
import { foldText } from '../../../kernel/text/fold-text.ts'
import { userKey, userPartition } from '../../../platform/store/keys/auth.ts'
import { readAll } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import { findPerson, membershipIn } from '../person.ts'
import { readUser, type User } from '../user.ts'

/** Which people are wanted: those who match everything that is given. */
interface PeopleQuery {
  readonly ids?: readonly number[]
  /** In lower case. */
  readonly email?: string
  readonly role?: string
  /** A part of the name, or of the e-mail address when `searchesEmail`. */
  readonly search?: string
}

/**
 * The active people of a tenant who match a query, ordered by name; no service users. Without `ids` and `email` it reads
 * all users of the tenant.
 */
export async function findPeople(
  store: Pick<Store, 'get' | 'getMany' | 'query'>,
  tenant: TenantRef,
  query: PeopleQuery,
  { searchesEmail }: { readonly searchesEmail: boolean },
): Promise<User[]> {
  const wanted = foldText(query.search ?? '')
  const matches = ({ isActive, kindOf, id, name, email, roles }: User): boolean =>
    isActive &&
    kindOf === 'person' &&
    (query.ids === undefined || query.ids.includes(id)) &&
    (query.role === undefined || roles.includes(query.role)) &&
    (foldText(name).includes(wanted) || (searchesEmail && foldText(email ?? '').includes(wanted)))
  const users = (await candidates(store, tenant, query)).filter(matches)
  return users.sort((a, b) => byName.compare(a.name, b.name) || a.id - b.id)
}

async function candidates(
  store: Pick<Store, 'get' | 'getMany' | 'query'>,
  tenant: TenantRef,
  { ids, email }: PeopleQuery,
): Promise<User[]> {
  if (ids === undefined && email === undefined)
    return (await readAll(store, tenant, { pk: userPartition(tenant) })).map(readUser)
  const withEmail = email === undefined ? undefined : membershipIn(await findPerson(store, email), tenant)
  const wanted = email === undefined ? (ids ?? []) : withEmail ? [withEmail.userId] : []
  const items = await store.getMany(
    tenant,
    [...new Set(wanted)].map((id) => userKey(tenant, id)),
  )
  return items.flatMap((item) => (item ? [readUser(item)] : []))
}

const byName = new Intl.Collator('en')
