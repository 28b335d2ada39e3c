import { findTenant } from '../../../../shared/accounts/tenants/find-tenant.ts'
import type { Tenant } from '../../../../shared/kernel/tenancy.ts'
import { clock } from '../../../../shared/kernel/time/clock.ts'
import { createConfig } from '../../../../shared/platform/store/config.ts'
import { createTables } from '../../../../shared/tables/tables/read-tables.ts'
import type { TestService } from '../../services/service.ts'

/** Searches the tables of the first tenant as its administrator, and reads their configuration. */
export function searchReader({ api, admin, store }: TestService) {
  const tables = createTables(createConfig(store, clock))
  return {
    table: async (model: string) => tables.require((await findTenant(store, 1)) as Tenant, model),
    /** Ids, best match first. */
    find: async (model: string, text: string): Promise<number[]> => {
      const path = `/api/e/${model}?per_page=100&search=${encodeURIComponent(text)}`
      return (await api('GET', path, { token: admin.token })).body.data.map(({ id }: { id: number }) => id)
    },
  }
}
