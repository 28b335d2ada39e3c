import { Invalid } from '../../kernel/failures/faults.ts'
import { maxSubstituteChain, maxSubstituted } from '../../kernel/limits/accounts.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import { substitutePartition, userKey } from '../../platform/store/keys/auth.ts'
import type { Store } from '../../platform/store/store.ts'
import { doOverlap, type Substitution } from './substitution.ts'
import { readUser, type User } from './user.ts'

/** Members that are left out keep their values. */
export interface SubstitutionChanges {
  readonly substituteId?: number | null | undefined
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
}

/**
 * The substitution of a user after the changes; without `from` it begins now. Throws Invalid naming `substitute_id`,
 * `from` or `to`: for somebody who cannot stand in, a period that ends before it begins, and people who would stand in for
 * each other at the same time.
 */
export async function changedSubstitution(
  store: Pick<Store, 'get' | 'query'>,
  tenant: TenantRef,
  user: Pick<User, 'id' | 'substitution'>,
  { substituteId: id, from, to }: SubstitutionChanges,
  nowMs: number,
): Promise<Substitution | null> {
  const before = user.substitution
  if (id === undefined && from === undefined && to === undefined) return before
  const substituteId = id === undefined ? before?.substituteId : id
  if (substituteId === undefined || substituteId === null) {
    const given = [...(from ? ['from'] : []), ...(to ? ['to'] : [])]
    if (given.length === 0 || id === null) return null
    throw new Invalid(
      Object.fromEntries(
        given.map((name) => [name, [`The ${name} field needs a substitute_id: who gets the tasks meanwhile.`]]),
      ),
    )
  }
  const isOther = before?.substituteId !== substituteId
  const after: Substitution = {
    substituteId,
    from: from ?? (from === undefined && !isOther ? before?.from : undefined) ?? isoTime(nowMs),
    to: to === undefined ? (isOther ? null : (before?.to ?? null)) : to,
  }
  if (before && JSON.stringify(before) === JSON.stringify(after)) return before
  if (after.to !== null && after.to <= after.from) throw new Invalid({ to: [`The to must be after ${after.from}.`] })
  if (isOther) await requireRoom(store, tenant, user.id, substituteId)
  await refuseCircle(store, tenant, user.id, after)
  return after
}

const refuse = (message: string): Invalid =>
  new Invalid({ substitute_id: [`The selected substitute_id is invalid: ${message}.`] })

async function requireRoom(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  userId: number,
  substituteId: number,
): Promise<void> {
  if (substituteId === userId) throw refuse('nobody stands in for themselves')
  const { items } = await store.query(tenant, { pk: substitutePartition(tenant, substituteId), limit: maxSubstituted })
  if (items.length >= maxSubstituted)
    throw refuse(`this user stands in for ${maxSubstituted} people already, and more are not possible`)
}

/** Follows the substitutes of the substitute who are away at the same time. */
async function refuseCircle(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  userId: number,
  wanted: Substitution,
): Promise<void> {
  let next: number | undefined = wanted.substituteId
  for (let depth = 0; next !== undefined; depth += 1) {
    if (next === userId) throw refuse('these people would stand in for each other at the same time')
    if (depth >= maxSubstituteChain)
      throw refuse(`at most ${maxSubstituteChain} people stand in for each other one after another`)
    const item = await store.get(tenant, userKey(tenant, next))
    const user = item && readUser(item)
    if (depth === 0 && !user) throw refuse(`there is no user ${next}`)
    if (depth === 0 && !user?.isActive) throw refuse('this user is not active')
    const { substitution = null } = user ?? {}
    next = substitution && doOverlap(substitution, wanted) ? substitution.substituteId : undefined
  }
}
