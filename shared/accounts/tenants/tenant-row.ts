import type { Tenant } from '../../kernel/tenancy.ts'
import { firstTenantKey, slugKey, tenantKey } from '../../platform/store/keys/auth.ts'
import type { Key } from '../../platform/store/keys/key.ts'
import { readRenamedTables } from '../../platform/store/rows/stored-names.ts'
import type { Write } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { exists } from '../../platform/store/writes/conditions.ts'

export const tenantItem = (tenant: Tenant, createdAt: string): Item & Key => ({
  ...tenantKey(tenant),
  kind: 'tenant',
  v: 1,
  id: tenant.id,
  slug: tenant.slug,
  name: tenant.name,
  config_version: tenant.configVersion,
  created_at: createdAt,
  ...(tenant.awaitsVerification && { awaits_verification: true }),
})

export const readTenant = (item: Item): Tenant => ({
  id: Number(item.id),
  slug: String(item.slug),
  name: String(item.name),
  configVersion: Number(item.config_version),
  ...(item.config_changed_at_ms !== undefined && { configChangedAtMs: Number(item.config_changed_at_ms) }),
  ...(item.delete_at !== undefined && { deleteAt: String(item.delete_at) }),
  ...(item.awaits_verification === true && { awaitsVerification: true }),
  ...readRenamedTables(item),
})

/** The row that reserves a slug for its tenant. */
export const slugItem = ({ id, slug }: Tenant) => ({ ...slugKey(slug), kind: 'slug', v: 1, tenant_id: id })

/** The row that names the deployment's first tenant. */
export const firstTenantItem = ({ id }: Tenant) => ({ ...firstTenantKey, kind: 'first_tenant', v: 1, tenant_id: id })

/** The tenant id in the row of a slug or of the first tenant. */
export const readTenantId = (item: Item): number => Number(item.tenant_id)

/** Lets a tenant work: its administrator has proved to receive mail. */
export const endVerification = (tenantId: number): Write => ({
  update: tenantKey({ id: tenantId }),
  change: { expression: 'REMOVE awaits_verification' },
  if: exists,
})
