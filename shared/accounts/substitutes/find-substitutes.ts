import { maxSubstituteChain, maxSubstituted } from '../../kernel/limits/accounts.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { substitutePartition, userKey } from '../../platform/store/keys/auth.ts'
import type { Store } from '../../platform/store/store.ts'
import { isInForce } from '../people/substitution.ts'
import { readUser, type User } from '../people/user.ts'

/** Who stands in for somebody now, and since when. */
export interface Substitute {
  readonly id: number
  readonly since: string
}

/**
 * Who stands in for each of these users now: the last one where substitutes are away themselves, at most
 * `maxSubstituteChain` further. Users without a substitute, or whose substitute is not active, are left out.
 */
export async function substitutesOf(
  store: Pick<Store, 'getMany'>,
  tenant: TenantRef,
  ids: Iterable<number>,
  nowMs: number,
): Promise<ReadonlyMap<number, Substitute>> {
  const wanted = new Set(ids)
  const users = new Map<number, User>()
  let missing = [...wanted]
  for (let depth = 0; missing.length > 0 && depth <= maxSubstituteChain; depth += 1) {
    const items = await store.getMany(
      tenant,
      missing.map((id) => userKey(tenant, id)),
    )
    const read = items.flatMap((item) => (item ? [readUser(item)] : []))
    for (const user of read) users.set(user.id, user)
    missing = [
      ...new Set(
        read.flatMap(({ substitution }) =>
          substitution && isInForce(substitution, nowMs) && !users.has(substitution.substituteId)
            ? [substitution.substituteId]
            : [],
        ),
      ),
    ]
  }
  const found = new Map<number, Substitute>()
  for (const id of wanted) {
    const since = users.get(id)?.substitution?.from
    const last = lastOf(id, users, nowMs)
    if (last !== id && since !== undefined) found.set(id, { id: last, since })
  }
  return found
}

function lastOf(id: number, users: ReadonlyMap<number, User>, nowMs: number): number {
  const passed = new Set([id])
  let last = id
  for (;;) {
    const substitution = users.get(last)?.substitution
    if (!substitution || !isInForce(substitution, nowMs)) return last
    const next = users.get(substitution.substituteId)
    if (!next?.isActive || passed.has(next.id)) return last
    passed.add(next.id)
    last = next.id
  }
}

/** The users for whom a user stands in now, also for those whose substitute is away. */
export async function substitutedBy(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  userId: number,
  nowMs: number,
): Promise<readonly number[]> {
  const found = new Set<number>()
  let level = [userId]
  for (let depth = 0; level.length > 0 && depth < maxSubstituteChain && found.size < maxSubstituted; depth += 1) {
    const pages = await Promise.all(
      level.map((id) => store.query(tenant, { pk: substitutePartition(tenant, id), limit: maxSubstituted })),
    )
    level = pages
      .flatMap(({ items }) => items)
      .filter(({ from, to }) => isInForce({ from: String(from), to: to === null ? null : String(to) }, nowMs))
      .map(({ sk }) => Number(sk))
      .filter((id) => id !== userId && !found.has(id))
    for (const id of level) found.add(id)
  }
  return [...found].slice(0, maxSubstituted)
}
