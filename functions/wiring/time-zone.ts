import { findTenant } from '../../shared/accounts/tenants/find-tenant.ts'
import type { Tenant, TenantRef } from '../../shared/kernel/tenancy.ts'
import { readTimeZone } from '../../shared/platform/settings/read-settings.ts'
import { config } from './platform/config.ts'
import { store } from './platform/store.ts'

/** The time zone of a company. */
export const timeZone = (tenant: Tenant): Promise<string> => readTimeZone(config, tenant)

/** The same of a company that only its id is known of; UTC once it is removed. */
export async function timeZoneOf({ id }: TenantRef): Promise<string> {
  const tenant = await findTenant(store, id)
  return tenant ? timeZone(tenant) : 'UTC'
}
