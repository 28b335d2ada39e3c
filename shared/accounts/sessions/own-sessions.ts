import type * as z from 'zod'
import { NotFound } from '../../kernel/failures/faults.ts'
import { type Caller, isWholePerson } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { sessionPartition, tokenKey } from '../../platform/store/keys/auth.ts'
import { readAll } from '../../platform/store/ranges/read-all.ts'
import { deploymentWide, type Store, type Write } from '../../platform/store/store.ts'
import { trailEvent } from '../../platform/trail/trail-event.ts'
import { hasExpired, type Token, tokenOf } from '../credentials/token.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { type ActiveMembership, membershipsOf } from '../people/membership/active-membership.ts'
import { readSessionNumber, removeSession } from './issue-token.ts'
import type { SessionAnswer } from './session-schema.ts'

interface Session {
  readonly token: Token
  readonly membership: ActiveMembership
}

/** One transaction ends this many sessions: two rows each, and an event. */
const endedAtOnce = 30

/** Answers one page of the caller's sessions, in all tenants that the session in use may enter, the last used first. */
export async function listSessions(
  { store, clock }: Pick<AccountDependencies, 'store' | 'clock'>,
  caller: Caller,
  query: ListQuery,
): Promise<Page<z.input<typeof SessionAnswer>>> {
  const sessions = await readSessions(store, clock, caller)
  const described = sessions
    .toSorted((a, b) => b.token.lastUsedAtMs - a.token.lastUsedAtMs || b.token.number - a.token.number)
    .map(({ token, membership: { tenant } }) => ({
      id: token.number,
      created_at: token.createdAt,
      last_used_at: isoTime(token.lastUsedAtMs),
      user_agent: token.userAgent,
      tenant: { slug: tenant.slug, name: tenant.name },
      is_current: token.number === caller.tokenNumber,
    }))
  return pageOfWholeList('sessions', described, query)
}

/** Ends one session of the caller. Throws NotFound when the caller has no such session. */
export async function endSession(
  { store, clock }: Pick<AccountDependencies, 'store' | 'clock'>,
  caller: Caller,
  id: number,
): Promise<void> {
  const [item, memberships] = await Promise.all([store.get(deploymentWide, tokenKey(id)), membershipsOf(store, caller)])
  const token = item && tokenOf(item)
  const membership = token && memberships.find(({ tenant, user }) => isOf(token, tenant, user.id))
  if (!membership || !isListed(token, membership, clock.now())) throw new NotFound('session', { id })
  await endAll(store, clock, [{ token, membership }])
}

/** Ends all sessions of the caller but the one in use. */
export async function endOtherSessions(
  { store, clock }: Pick<AccountDependencies, 'store' | 'clock'>,
  caller: Caller,
): Promise<void> {
  const sessions = await readSessions(store, clock, caller)
  const others = sessions.filter(({ token }) => token.number !== caller.tokenNumber)
  for (let at = 0; at < others.length; at += endedAtOnce) await endAll(store, clock, others.slice(at, at + endedAtOnce))
}

async function readSessions(store: Store, clock: Clock, caller: Caller): Promise<Session[]> {
  const memberships = await membershipsOf(store, caller)
  const listed = await Promise.all(
    memberships.map(async (membership) => {
      const { tenant, user } = membership
      const rows = await readAll(store, tenant, { pk: sessionPartition(tenant, user.id) })
      return rows.map((row) => ({ number: readSessionNumber(row), membership }))
    }),
  )
  const rows = listed.flat()
  const items = await store.getMany(
    deploymentWide,
    rows.map(({ number }) => tokenKey(number)),
  )
  return rows.flatMap(({ membership }, index) => {
    const item = items[index]
    const token = item && tokenOf(item)
    return token && isListed(token, membership, clock.now()) ? [{ token, membership }] : []
  })
}

const isOf = ({ tenantId, userId }: Token, tenant: TenantRef, id: number): boolean =>
  tenantId === tenant.id && userId === id

/** Whether a token is a session that its user could use now. */
const isListed = (token: Token, { tenant, user }: ActiveMembership, nowMs: number): boolean =>
  isOf(token, tenant, user.id) &&
  (isWholePerson(token.kind) || token.kind === 'tenant_session') &&
  token.credentialVersion === user.credentialVersion &&
  !hasExpired(token, nowMs)

async function endAll(store: Store, clock: Clock, sessions: readonly Session[]): Promise<void> {
  const writes = sessions.flatMap(({ token, membership: { tenant, user } }): Write[] => [
    ...removeSession(tenant, user.id, token.number),
    trailEvent(clock, tenant, { userId: user.id }, { action: 'logout', model: 'sys_users', id: user.id }),
  ])
  await store.transact(deploymentWide, writes, clock.uuid())
}
