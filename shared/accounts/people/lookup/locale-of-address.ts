import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Store } from '../../../platform/store/store.ts'
import { findPerson, membershipIn } from '../person.ts'

/** The language of the person with a mail address, if they belong to the tenant and chose one; else null. */
export const localeOfAddress =
  (store: Pick<Store, 'get'>) =>
  async (tenant: TenantRef, address: string): Promise<string | null> => {
    const person = await findPerson(store, address.toLowerCase())
    return person && membershipIn(person, tenant) ? person.locale : null
  }
