import type * as z from 'zod'
import { requirePerson } from '../../kernel/failures/permission-missing.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { apiKeyKey, tokenKey, userKey } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { hasExpired, type Token, tokenOf } from '../credentials/token.ts'
import { readUser, type User } from '../people/user.ts'
import { administratorRole } from '../roles/role.ts'
import type { ApiKeyAnswer } from './api-key-schema.ts'

/** The row that lists an API key. Its token is a token row, its name and roles are those of its service user. */
export interface ApiKey {
  /** The id of the service user that the key acts as. */
  readonly id: number
  readonly tokenNumber: number
  readonly createdBy: number
  readonly createdAt: string
}

export const apiKeyItem = (tenant: TenantRef, key: ApiKey): Item & Key => ({
  ...apiKeyKey(tenant, key.id),
  kind: 'api_key',
  v: 1,
  id: key.id,
  token_number: key.tokenNumber,
  created_by: key.createdBy,
  created_at: key.createdAt,
})

export const readApiKey = (item: Item): ApiKey => ({
  id: Number(item.id),
  tokenNumber: Number(item.token_number),
  createdBy: Number(item.created_by),
  createdAt: String(item.created_at),
})

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
