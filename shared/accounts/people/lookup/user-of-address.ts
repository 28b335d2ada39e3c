import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Store } from '../../../platform/store/store.ts'
import { findPerson, membershipIn } from '../person.ts'
import { findUser } from '../user.ts'

/** The id of the active user of a tenant with a mail address; undefined when there is none. */
export async function userOfAddress(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  address: string,
): Promise<number | undefined> {
  const member = membershipIn(await findPerson(store, address.toLowerCase()), tenant)
  const user = member && (await findUser(store, tenant, member.userId))
  return user?.isActive ? user.id : undefined
}

/** The language of the person with a mail address, if they belong to the tenant and chose one; else null. */
export const localeOfAddress =
  (store: Pick<Store, 'get'>) =>
  async (tenant: TenantRef, address: string): Promise<string | null> => {
    const person = await findPerson(store, address.toLowerCase())
    return person && membershipIn(person, tenant) ? person.locale : null
  }
