import type * as z from 'zod'
import { Invalid, NotFound } from '../../kernel/failures/faults.ts'
import { say } from '../../kernel/failures/sentence.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { isoTime } from '../../kernel/time/clock.ts'
import type { ListQuery } from '../../platform/http/paging/page-query.ts'
import { pageOfWholeList } from '../../platform/http/paging/whole-list.ts'
import type { Page } from '../../platform/http/routing/envelope.ts'
import { apiKeyKey, apiKeyPartition, tokenKey } from '../../platform/store/keys/auth.ts'
import { readAll } from '../../platform/store/ranges/read-all.ts'
import type { Step } from '../../platform/store/writes/commit.ts'
import { exists, isNew } from '../../platform/store/writes/conditions.ts'
import { trailEvent } from '../../platform/trail/trail-event.ts'
import { makeToken } from '../credentials/token.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { changeUser } from '../people/change-user.ts'
import { newUser, storeNewUser } from '../people/new-user.ts'
import { userEvent } from '../people/user-event.ts'
import { namingUnknownRoles } from '../roles/role.ts'
import type { ApiKeyAnswer, NewApiKeyAnswer, NewApiKeyBody } from './api-key-schema.ts'
import { type ApiKey, apiKeyItem, describeApiKey, describeApiKeys, readApiKey } from './api-key.ts'

type Description = z.output<typeof ApiKeyAnswer>

const model = 'sys_api_keys'

/**
 * The API keys of a tenant: tokens for programs, which act as service users of their own (docs/decisions/0052). Throws
 * NotFound for keys of other tenants.
 */
export function administerApiKeys(accounts: AccountDependencies) {
  const { store, clock } = accounts

  /** Answers one page of the keys, newest first unless asked otherwise. A tenant has few keys, so all are read. */
  async function list(tenant: Tenant, query: ListQuery): Promise<Page<Description>> {
    const items = await readAll(store, tenant, { pk: apiKeyPartition(tenant), reverse: true })
    return pageOfWholeList(model, await describeApiKeys(accounts, tenant, items.map(readApiKey)), query)
  }

  /**
   * Makes a key with its service user. Only this answer has the token; the row has its hash. Throws Invalid naming
   * `roles.<n>` when a role does not exist, and `expires_at` when it has passed.
   */
  async function create(
    caller: Caller,
    { name, roles, expires_at: endsAtMs }: z.output<typeof NewApiKeyBody>,
  ): Promise<z.output<typeof NewApiKeyAnswer>> {
    const { tenant } = caller
    const now = clock.now()
    const at = isoTime(now)
    const { token, text, item } = makeToken(clock, {
      kind: 'api_key',
      tenantId: tenant.id,
      credentialVersion: 1,
      endsAtMs: endsAtMs ?? null,
      lastUsedAtMs: 0,
      roleHint: roles,
    })
    const key = (id: number): ApiKey => ({ id, tokenNumber: token.number, createdBy: caller.userId, createdAt: at })
    const storeUser = (make: Parameters<typeof storeNewUser>[2]) =>
      namingUnknownRoles(accounts, tenant, roles, async () => {
        if (typeof endsAtMs === 'number' && endsAtMs <= now)
          throw new Invalid({ expires_at: [say('not_in_future', { field: 'expires_at' })] })
        return storeNewUser(accounts, tenant, make)
      })
    const user = await storeUser((id) => {
      const made = { ...newUser(id, { name, email: null }, { roles }, at), madeBy: caller.userId }
      const expiry = endsAtMs && { expires_at: { old: null, new: isoTime(endsAtMs) } }
      const changes = { roles: { old: null, new: made.roles }, ...expiry }
      return {
        user: made,
        also: [
          { write: { put: item(id), if: isNew } },
          { write: { put: apiKeyItem(tenant, key(id)), if: isNew } },
          { write: userEvent(clock, tenant, caller, undefined, made) },
          { write: trailEvent(clock, tenant, caller, { action: 'create', model, id, name, changes }) },
        ],
      }
    })
    return { ...describeApiKey(key(user.id), user, { ...token, userId: user.id }, now), token: text }
  }

  /** Ends a key at once. Its service user loses the roles and is disabled; history keeps its name. */
  async function end(caller: Caller, id: number): Promise<void> {
    const { tenant } = caller
    const key = await find(tenant, id)
    const unlisted: Step = { write: { remove: apiKeyKey(tenant, id), if: exists }, refused: () => notFound(id) }
    const event = trailEvent(clock, tenant, caller, { action: 'delete', model, id })
    const also = [unlisted, { write: { remove: tokenKey(key.tokenNumber) } }, { write: event }]
    // Who made it is known beyond its end: what the key has done counts as done by them (four eyes).
    const ended = { roles: [], isActive: false, madeBy: key.createdBy }
    await changeUser(accounts, tenant, id, () => ended, { by: caller, also })
  }

  async function find(tenant: TenantRef, id: number): Promise<ApiKey> {
    const item = await store.get(tenant, apiKeyKey(tenant, id))
    if (!item) throw notFound(id)
    return readApiKey(item)
  }

  return { list, create, end }
}

const notFound = (id: number): NotFound => new NotFound('api_key', { id })
