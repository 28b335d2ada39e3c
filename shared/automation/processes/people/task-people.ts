import { findUsersWithRole } from '../../../accounts/people/list-users.ts'
import { lruMap } from '../../../kernel/collections/lru-map.ts'
import { maxRoleMembersTold } from '../../../kernel/limits/processes.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import { roleUseKey } from '../../../platform/store/keys/auth.ts'
import type { Store } from '../../../platform/store/store.ts'

/** Finding the members of a role scans all users, so results are cached. */
const cacheMs = 60_000
const maxCachedRoles = 500

const cache = lruMap<
  string,
  { readonly untilMs: number; readonly usage: string; readonly ids: Promise<readonly number[]> }
>(maxCachedRoles)

/**
 * Ids of users who have one of the roles, at most `maxRoleMembersTold`. Cached for a minute, or until the number of users of a
 * role changes: a user who replaced another one within that minute may be missing.
 */
export async function roleMembers(
  { store, clock }: { store: Pick<Store, 'query' | 'getMany'>; clock: Pick<Clock, 'now'> },
  tenant: TenantRef,
  roles: readonly string[],
): Promise<readonly number[]> {
  if (roles.length === 0) return []
  const cacheKey = `${tenant.id}#${roles.toSorted().join('#')}`
  const uses = await store.getMany(
    tenant,
    roles.map((role) => roleUseKey(tenant, role)),
  )
  const usage = uses.map((use) => `${Number(use?.users ?? 0)}/${Number(use?.active ?? 0)}`).join()
  const found = cache.get(cacheKey)
  if (found && found.usage === usage && found.untilMs > clock.now()) return found.ids
  const ids = findUsersWithRole(store, tenant, roles, maxRoleMembersTold).then((users) => users.map(({ id }) => id))
  cache.set(cacheKey, { untilMs: clock.now() + cacheMs, usage, ids })
  ids.catch(() => cache.delete(cacheKey))
  return ids
}

/** A user as a process names them: by id, or by mail address in lower case. */
export type UserReference = number | string

/** Reads `3`, `"3"`, `user:3` or a mail address; undefined for anything else. */
export function readUserReference(value: unknown): UserReference | undefined {
  const text = String(value ?? '').trim()
  const id = readId(text)
  if (id !== undefined) return id
  return /^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(text) ? text.toLowerCase() : undefined
}

/** Reads an id from `3`, `"3"` or `user:3`; undefined for anything else. */
export function readId(value: unknown): number | undefined {
  const digits = /^(?:user:)?([1-9]\d{0,14})$/.exec(String(value ?? '').trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}
