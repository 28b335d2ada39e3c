import { maxUserAgentCharacters } from '../../kernel/limits/accounts.ts'
import type { PrincipalRef, TokenKind } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { sessionKey, tokenKey } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { deploymentWide, type Store, type Write } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { isNew } from '../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../platform/store/writes/refusals.ts'
import { trailEvent } from '../../platform/trail/trail-event.ts'
import { type Impersonator, makeToken, tokenLifeMs } from '../credentials/token.ts'
import type { User } from '../people/user.ts'

const impersonationLifeMs = 3_600_000

/** How a session begins. */
export interface SessionStart {
  readonly kind?: Exclude<TokenKind, 'api_key'> | undefined
  readonly userAgent?: string | undefined
  readonly impersonator?: Impersonator
}

/**
 * Issues the token of a session, which is listed with the user's sessions unless an administrator acts as the user.
 * Answers it as the client sends it. The same transaction writes the login to the trail.
 */
export async function issueToken(
  { store, clock }: { store: Pick<Store, 'transact'>; clock: Clock },
  owner: { tenant: TenantRef; user: Pick<User, 'id' | 'credentialVersion' | 'roles'> },
  { kind = 'session', userAgent, impersonator }: SessionStart = {},
): Promise<string> {
  const { tenant, user } = owner
  const now = clock.now()
  for (;;) {
    const { token, text, item, writeId } = makeToken(clock, {
      kind,
      tenantId: tenant.id,
      credentialVersion: user.credentialVersion,
      endsAtMs: now + (impersonator ? impersonationLifeMs : tokenLifeMs),
      lastUsedAtMs: now,
      createdAt: isoTime(now),
      userAgent: userAgent?.slice(0, maxUserAgentCharacters).toWellFormed() ?? null,
      impersonator: impersonator ?? null,
      roleHint: user.roles,
    })
    const action = impersonator ? 'impersonate' : 'login'
    const by = { userId: impersonator?.id ?? user.id }
    const event = trailEvent(clock, tenant, by, { action, model: 'sys_users', id: user.id })
    const listed = impersonator ? [] : [{ put: sessionItem(tenant, user.id, token.number, now + tokenLifeMs) }]
    const writes = [{ put: item(user.id), if: isNew }, ...listed, event]
    if (await wasApplied(store.transact(deploymentWide, writes, writeId))) return text
  }
}

/** The row that lists a token with the sessions of its user. */
const sessionItem = (tenant: TenantRef, userId: number, number: number, endsAtMs: number): Item & Key => ({
  ...sessionKey(tenant, userId, number),
  kind: 'session',
  v: 1,
  number,
  expires_at: Math.ceil(endsAtMs / 1000),
})

/** The number of the token that the row of a session lists. */
export const readSessionNumber = (item: Item): number => Number(item.number)

/** Deletes the token of the caller and writes the logout to the trail. */
export async function revokeToken(
  { store, clock }: { store: Pick<Store, 'transact'>; clock: Clock },
  tenant: TenantRef,
  by: PrincipalRef,
  number: number,
): Promise<void> {
  const logout = trailEvent(clock, tenant, by, { action: 'logout', model: 'sys_users', id: by.userId })
  await store.transact(deploymentWide, [...removeSession(tenant, by.userId, number), logout], clock.uuid())
}

/** Deletes a token and its row in the list of sessions, if it has one. */
export const removeSession = (tenant: TenantRef, userId: number, number: number): Write[] => [
  { remove: tokenKey(number) },
  { remove: sessionKey(tenant, userId, number) },
]
