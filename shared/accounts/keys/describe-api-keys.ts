import type * as z from 'zod'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { tokenKey, userKey } from '../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { readUser, type User } from '../people/user.ts'
import { hasExpired, type Token, tokenOf } from '../sessions/token.ts'
import type { ApiKey } from './api-key-row.ts'
import type { ApiKeyAnswer } from './api-key-schema.ts'

type Description = z.output<typeof ApiKeyAnswer>

interface Dependencies {
  readonly store: Pick<Store, 'getMany'>
  readonly clock: Pick<Clock, 'now'>
}

/** API keys as they are answered, without anything that signs in. Keys that were ended meanwhile are left out. */
export async function describeApiKeys(
  { store, clock }: Dependencies,
  tenant: TenantRef,
  keys: readonly ApiKey[],
): Promise<Description[]> {
  const rows = await store.getMany(
    deploymentWide,
    keys.flatMap(({ id, tokenNumber }) => [userKey(tenant, id), tokenKey(tokenNumber)]),
  )
  return keys.flatMap((key, index) => {
    const [user, token] = [rows[2 * index], rows[2 * index + 1]]
    return user && token ? [describeApiKey(key, readUser(user), tokenOf(token), clock.now())] : []
  })
}

/** One API key with its service user and its token. */
export const describeApiKey = (key: ApiKey, user: User, token: Token, nowMs: number): Description => ({
  id: key.id,
  name: user.name,
  roles: [...user.roles],
  is_active: user.isActive && user.credentialVersion === token.credentialVersion && !hasExpired(token, nowMs),
  created_by: key.createdBy,
  created_at: key.createdAt,
  expires_at: token.endsAtMs === null ? null : isoTime(token.endsAtMs),
  last_used_at: token.lastUsedAtMs === 0 ? null : isoTime(token.lastUsedAtMs),
})
