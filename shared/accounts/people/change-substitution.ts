import { Invalid } from '../../kernel/failures/faults.ts'
import { type Problem, say } from '../../kernel/failures/sentence.ts'
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
    throw new Invalid(Object.fromEntries(given.map((name) => [name, [say('needs_substitute', { field: name })]])))
  }
  const isOther = before?.substituteId !== substituteId
  const after: Substitution = {
    substituteId,
    from: from ?? (from === undefined && !isOther ? before?.from : undefined) ?? isoTime(nowMs),
    to: to === undefined ? (isOther ? null : (before?.to ?? null)) : to,
  }
  if (before && JSON.stringify(before) === JSON.stringify(after)) return before
  if (after.to !== null && after.to <= after.from)
    throw new Invalid({ to: [say('ends_before_start', { field: 'to', from: after.from })] })
  if (isOther) await requireRoom(store, tenant, user.id, substituteId)
  await refuseCircle(store, tenant, user.id, after)
  return after
}

const field = 'substitute_id'
const refuse = (problem: Problem): Invalid => new Invalid({ [field]: [problem] })

async function requireRoom(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  userId: number,
  substituteId: number,
): Promise<void> {
  if (substituteId === userId) throw refuse(say('substitute_self', { field }))
  const { items } = await store.query(tenant, { pk: substitutePartition(tenant, substituteId), limit: maxSubstituted })
  if (items.length >= maxSubstituted) throw refuse(say('substitute_busy', { field, max: maxSubstituted }))
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
    if (next === userId) throw refuse(say('substitutes_in_circle', { field }))
    if (depth >= maxSubstituteChain) throw refuse(say('substitutes_too_many', { field, max: maxSubstituteChain }))
    const item = await store.get(tenant, userKey(tenant, next))
    const user = item && readUser(item)
    if (depth === 0 && !user) throw refuse(say('no_such_user', { field, id: next }))
    if (depth === 0 && !user?.isActive) throw refuse(say('substitute_inactive', { field }))
    const { substitution = null } = user ?? {}
    next = substitution && doOverlap(substitution, wanted) ? substitution.substituteId : undefined
  }
}
