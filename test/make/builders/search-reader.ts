import { findTenant } from '../../../shared/auth/tenants/tenant.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { createSearch } from '../../../shared/search/service.ts'
import { tokensOf } from '../../../shared/search/tokens.ts'
import { createConfig } from '../../../shared/store/config.ts'
import type { CountedValue } from '../../../shared/tables/indexes/counted-fields.ts'
import { createTables } from '../../../shared/tables/service.ts'
import type { Table } from '../../../shared/tables/table.ts'
import type { TestService } from '../services/service.ts'

/** Reads search and counters of the first tenant as queries read them, and its tables. */
export function searchReader({ store }: TestService) {
  const tables = createTables(createConfig(store, clock))
  const { searchIndex, counters } = createSearch(store)

  async function onTable<T>(model: string, read: (tenant: Tenant, table: Table) => Promise<T>): Promise<T> {
    const tenant = (await findTenant(store, 1)) as Tenant
    return read(tenant, await tables.require(tenant, model))
  }

  return {
    table: (model: string) => onTable(model, async (_tenant, table) => table),
    /** Ids, best match first; undefined when the index cannot answer. */
    find: (model: string, text: string) =>
      onTable(model, async (tenant, table) =>
        (await searchIndex.find(tenant, table, tokensOf(text)))?.map(({ id }) => id),
      ),
    count: (model: string, field: string, value: CountedValue) =>
      onTable(model, (tenant, table) => counters.count(tenant, table, field, value)),
    counts: (model: string, field: string) =>
      onTable(model, async (tenant, table) => {
        const all = await counters.all(tenant, table, field)
        return all && Object.fromEntries(all.map(({ value, count }) => [String(value), count]))
      }),
  }
}
