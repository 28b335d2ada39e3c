import { timingSafeEqual } from 'node:crypto'
import { lruMap } from '../../kernel/collections/lru-map.ts'
import type { Caller, Viewer } from '../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import type { Authenticate } from '../../platform/http/routing/endpoint-group.ts'
import type { ItemKey, Preloaded } from '../../platform/http/routing/implement.ts'
import type { ConfigName } from '../../platform/store/config.ts'
import { tenantKey, tokenKey, userKey } from '../../platform/store/keys/auth.ts'
import { configKey } from '../../platform/store/keys/configuration.ts'
import { belongsTo } from '../../platform/store/keys/key.ts'
import { deploymentWide } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import {
  hasExpired,
  type Impersonator,
  isPresented,
  parseToken,
  type PresentedToken,
  recordUse,
  type Token,
  tokenOf,
} from '../credentials/token.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { findUser, readUser, type User } from '../people/user.ts'
import { mayImpersonate } from '../people/user.ts'
import { administratorRole, findOwnRoles, findRoles, permissionsOf, type Role } from '../roles/role.ts'
import { readTenant } from '../tenants/tenant-row.ts'
import { refusedTokens } from './refused-tokens.ts'

/** The owner of a token never changes, so it is cached. Whether the token is still valid is read on every request. */
interface Owner {
  readonly secretHash: Buffer
  readonly tenant: TenantRef
  readonly userId: number
  readonly impersonatorId: number | undefined
}
const maxCachedOwners = 10_000

/**
 * Resolves bearer tokens to callers. A token whose owner is cached costs one round trip, for token, user, tenant and
 * the rows of the route together; a new one costs two. Roles come from the cached configuration. For a new token they
 * are read with the user, as far as they are not cached, and with them the table of the route; otherwise both are read
 * after the user, in one call.
 */
export function createAuthentication({ store, config, clock }: AccountDependencies): Authenticate {
  const owners = lruMap<number, Owner>(maxCachedOwners)

  /** The owner, if it is cached and the secret matches. */
  function cachedOwner(presented: PresentedToken): Owner | undefined {
    const owner = owners.get(presented.number)
    return owner && timingSafeEqual(owner.secretHash, presented.hash) ? owner : undefined
  }

  async function readToken(presented: PresentedToken): Promise<Token> {
    return requireValidToken(await store.get(deploymentWide, tokenKey(presented.number)), presented)
  }

  function requireValidToken(item: Item | undefined, presented: PresentedToken): Token {
    const token = item && tokenOf(item)
    // Whoever does not know the secret learns nothing about the token with this number.
    if (!token || !isPresented(token, presented)) throw refusedTokens.unknown()
    if (hasExpired(token, clock.now())) throw refusedTokens.expired()
    return token
  }

  return async (authorization, reads, model) => {
    const presented = parseToken(authorization)
    if (!presented) throw authorization ? refusedTokens.malformed() : refusedTokens.missing()
    const known = cachedOwner(presented)
    const fresh = known ? undefined : await readToken(presented)
    const owner: Owner = known ?? ownerOf(fresh as Token)
    const wanted = reads(owner.tenant, owner.userId)
    for (const key of wanted)
      if (!belongsTo(key, owner.tenant)) throw new Error(`key ${key.pk} is not of tenant ${owner.tenant.id}`)

    const tableNames: readonly ConfigName[] = model === undefined ? [] : [['TABLE', model]]
    const configNames = fresh ? config.notCached(owner.tenant, [...rolesOf(fresh), ...tableNames]) : []
    const askedAtMs = clock.now()
    // An impersonator is read instead of the user once more: the number of rows stays the same for all others.
    const [userItem, tenantItem, impersonatorItem, ...rest] = await store.getMany(deploymentWide, [
      userKey(owner.tenant, owner.userId),
      tenantKey(owner.tenant),
      userKey(owner.tenant, owner.impersonatorId ?? owner.userId),
      ...wanted,
      ...(fresh
        ? configNames.map(([kind, name]) => configKey(owner.tenant, kind, name))
        : [tokenKey(presented.number)]),
    ])
    const token = fresh ?? requireValidToken(rest.at(-1), presented)
    const user = userItem && readUser(userItem)
    if (!user || !tenantItem || !user.isActive || user.credentialVersion !== token.credentialVersion)
      throw refusedTokens.revoked()
    const impersonator = token.impersonator && requireImpersonator(token.impersonator, impersonatorItem, user)
    owners.set(presented.number, owner)

    const tenant = readTenant(tenantItem)
    const renamed = tenant.renamedTables ? reads(owner.tenant, owner.userId, tenant) : []
    const inStore = renamed.length > 0 ? await store.getMany(tenant, renamed) : []
    config.offer(tenant, configNames, rest.slice(wanted.length), askedAtMs)
    const [roles] = await Promise.all([
      findOwnRoles(config, tenant, user.roles, tableNames),
      recordUse({ store, clock }, token),
    ])
    return {
      caller: {
        ...viewerOf(tenant, user, roles),
        ...personOf(user),
        tokenNumber: token.number,
        tokenKind: token.kind,
        mfaEnabled: user.mfaEnabled,
        mustSetUpMfa: mustSetUpMfa(token, user, roles),
        ...(impersonator && { impersonatorId: impersonator.id, impersonatorName: impersonator.name }),
      },
      preloaded: preloadedRows([...wanted, ...renamed], [...rest.slice(0, wanted.length), ...inStore]),
    }
  }
}

/** Only for sessions of people: an identity provider asks for factors of its own, a program has none. */
const mustSetUpMfa = (token: Token, user: User, roles: readonly Role[]): boolean =>
  token.kind === 'session' && !user.mfaEnabled && roles.some(({ mfaRequired }) => mfaRequired)

const rolesOf = ({ roleHint }: Token): readonly ConfigName[] => roleHint.map((name) => ['ROLE', name])

const ownerOf = (token: Token): Owner => ({
  secretHash: token.secretHash,
  tenant: { id: token.tenantId },
  userId: token.userId,
  impersonatorId: token.impersonator?.id,
})

/** The administrator who acts as the user. Throws Unauthenticated once one of the two has changed too much for that. */
function requireImpersonator(stored: Impersonator, item: Item | undefined, user: User): User {
  const impersonator = item && readUser(item)
  if (impersonator?.credentialVersion !== stored.credentialVersion || !mayImpersonate(impersonator, user))
    throw refusedTokens.revoked()
  return impersonator
}

const viewerOf = (tenant: Tenant, user: User, roles: readonly Role[]): Viewer => ({
  tenant,
  userId: user.id,
  permissions: permissionsOf(roles),
  grants: roles,
  isAdministrator: user.roles.includes(administratorRole),
  orgUnitIds: user.orgUnitIds,
})

const personOf = ({ name, email, roles, companyId, locale }: User) => ({ name, email, roles, companyId, locale })

/**
 * A user as a viewer with the current rights, for work on the user's behalf after the request; undefined when disabled.
 */
export async function findViewer(
  { store, config }: Pick<AccountDependencies, 'store' | 'config'>,
  tenant: Tenant,
  userId: number,
): Promise<Viewer | undefined> {
  const user = await findUser(store, tenant, userId)
  return user?.isActive ? viewerOfUser(config, tenant, user) : undefined
}

/**
 * A person for whom a signed link vouches that was mailed to them, with the current rights; undefined once they may not sign in.
 * The link is one factor: `mfaEnabled` and `mustSetUpMfa` say that it is not enough.
 */
export async function callerOfLink(
  { config }: { readonly config: Pick<AccountDependencies['config'], 'list'> },
  tenant: Tenant,
  user: User,
): Promise<Caller | undefined> {
  if (!user.isActive || user.kindOf !== 'person') return undefined
  const roles = await findRoles(config, tenant, user.roles)
  return {
    ...viewerOf(tenant, user, roles),
    ...personOf(user),
    tokenNumber: 0,
    tokenKind: 'tenant_session',
    mfaEnabled: user.mfaEnabled,
    mustSetUpMfa: !user.mfaEnabled && roles.some(({ mfaRequired }) => mfaRequired),
  }
}

/** An active user as a viewer with the current rights. */
export const viewerOfUser = async (
  config: Pick<AccountDependencies['config'], 'list'>,
  tenant: Tenant,
  user: User,
): Promise<Viewer> => viewerOf(tenant, user, await findRoles(config, tenant, user.roles))

function preloadedRows(keys: readonly ItemKey[], items: readonly (Item | undefined)[]): Preloaded {
  const address = ({ pk, sk }: ItemKey): string => `${pk}\n${sk}`
  const rows = new Map(keys.map((key, index) => [address(key), items[index] ?? null]))
  return { get: (key) => rows.get(address(key)) }
}
