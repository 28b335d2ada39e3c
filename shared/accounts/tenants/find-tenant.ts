import { log } from '../../kernel/runtime/log.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import { firstTenantKey, slugKey, tenantKey } from '../../platform/store/keys/auth.ts'
import { deploymentWide, type Store } from '../../platform/store/store.ts'
import { readTenant, readTenantId } from './tenant-row.ts'

export async function findTenant(store: Pick<Store, 'get'>, id: number): Promise<Tenant | undefined> {
  const item = await store.get(deploymentWide, tenantKey({ id }))
  return item && readTenant(item)
}

/** Since when a tenant exists (Unix milliseconds); undefined for a removed one. */
export async function tenantSince(store: Pick<Store, 'get'>, { id }: TenantRef): Promise<number | undefined> {
  const item = await store.get(deploymentWide, tenantKey({ id }))
  return item && Date.parse(String(item.created_at))
}

/** Finds the tenant of a message. A message that outlives its tenant is logged, and its consumer drops it. */
export async function findTenantOfMessage(store: Pick<Store, 'get'>, id: number): Promise<Tenant | undefined> {
  const tenant = await findTenant(store, id)
  if (!tenant) log.info('dropped a message of a removed tenant', { tenant_id: id })
  return tenant
}

/** The id of the tenant with a slug. */
export async function findTenantId(store: Pick<Store, 'get'>, slug: string): Promise<number | undefined> {
  const guard = await store.get(deploymentWide, slugKey(slug))
  return guard && readTenantId(guard)
}

export async function findTenantBySlug(store: Pick<Store, 'get'>, slug: string): Promise<Tenant | undefined> {
  const id = await findTenantId(store, slug)
  return id === undefined ? undefined : findTenant(store, id)
}

/** Finds the tenant that was created first; in single mode it is the only one. */
export async function findFirstTenant(store: Pick<Store, 'get'>): Promise<Tenant | undefined> {
  const pointer = await store.get(deploymentWide, firstTenantKey)
  return pointer && findTenant(store, readTenantId(pointer))
}
