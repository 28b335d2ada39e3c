import { findUsersWithRole } from '../../auth/service.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { roleUseKey } from '../../store/keys/auth.ts'
import type { Store } from '../../store/table.ts'

/** Members of a role that are told at once; a role is no mailing list. */
export const maxMembers = 50
/** Who holds a role is found by going through the users: not for every task anew. */
const keptMs = 60_000
const keptRoles = 500

const known = new Map<
  string,
  { readonly until: number; readonly held: string; readonly ids: Promise<readonly number[]> }
>()

/**
 * Ids of users who hold one of the roles, at most fifty. Found anew when the number of a role's users has moved, and after
 * a minute: until then somebody who took another's place may be missing.
 */
export async function roleMembers(
  { store, clock }: { store: Pick<Store, 'query' | 'getMany'>; clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
  roles: readonly string[],
): Promise<readonly number[]> {
  if (roles.length === 0) return []
  const place = `${tenant.id}#${roles.toSorted().join('#')}`
  const uses = await store.getMany(
    tenant,
    roles.map((role) => roleUseKey(tenant, role)),
  )
  const held = uses.map((use) => `${Number(use?.users ?? 0)}/${Number(use?.active ?? 0)}`).join()
  const found = known.get(place)
  if (found && found.held === held && found.until > clock.now()) return found.ids
  const ids = findUsersWithRole(store, tenant, roles, maxMembers).then((users) => users.map(({ id }) => id))
  known.delete(place)
  known.set(place, { until: clock.now() + keptMs, held, ids })
  ids.catch(() => known.delete(place))
  for (const oldest of known.keys()) {
    if (known.size <= keptRoles) break
    known.delete(oldest)
  }
  return ids
}
