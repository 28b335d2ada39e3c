import { requirePerson } from '../../kernel/failures/require-person.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { apiKeyKey, userKey } from '../../platform/store/keys/auth.ts'
import type { Store } from '../../platform/store/store.ts'
import { readUser } from '../people/user.ts'
import { administratorRole } from '../roles/role-names.ts'
import { readApiKey } from './api-key-row.ts'

/**
 * Throws Forbidden when an API key gives a role above its own. Whoever may give roles is an administrator, and so has all
 * others; but an administrator who signs in sets passwords and makes keys, which no key may.
 */
export function refuseRolesAboveKey(
  caller: Pick<Caller, 'tokenKind'>,
  roles: readonly string[],
  before: readonly string[] = [],
): void {
  if (roles.includes(administratorRole) && !before.includes(administratorRole))
    requirePerson(caller, 'make an administrator')
}

/** Who made the API keys among some users, by the id of the service user: also of keys that were ended. */
export async function makersOfKeys(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const users = [...new Set(ids)]
  const rows = await store.getMany(
    tenant,
    users.flatMap((id) => [userKey(tenant, id), apiKeyKey(tenant, id)]),
  )
  return new Map(
    users.flatMap((id, index) => {
      const [user, key] = [rows[2 * index], rows[2 * index + 1]]
      // Keys from before users named their maker.
      const maker = (user && readUser(user).madeBy) ?? (key && readApiKey(key).createdBy)
      return maker === undefined ? [] : [[id, maker] as const]
    }),
  )
}
