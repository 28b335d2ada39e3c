import { findTenant } from '../../../shared/auth/tenants/tenant.ts'
import { clock } from '../../../shared/kernel/clock.ts'
import type { Tenant } from '../../../shared/kernel/tenancy.ts'
import { createSearch } from '../../../shared/search/service.ts'
import { tokensOf } from '../../../shared/search/tokens.ts'
import { createConfig } from '../../../shared/store/config.ts'
import type { CountedValue } from '../../../shared/tables/counted-fields.ts'
import { createTables } from '../../../shared/tables/service.ts'
import type { Table } from '../../../shared/tables/table.ts'
import type { TestService } from '../services/service.ts'

/** What the first tenant's queries are told by search and counters, and its tables as writers and readers see them. */
export function searchReader({ store }: TestService) {
  const tables = createTables({ store, config: createConfig(store, clock), clock })
  const { searchIndex, counters } = createSearch(store)

  async function on<T>(model: string, ask: (tenant: Tenant, table: Table) => Promise<T>): Promise<T> {
    const tenant = (await findTenant(store, 1)) as Tenant
    return ask(tenant, await tables.need(tenant, model))
  }

  return {
    table: (model: string) => on(model, async (_tenant, table) => table),
    /** Ids, best first; undefined when the index cannot tell. */
    find: (model: string, text: string) =>
      on(model, async (tenant, table) => (await searchIndex.find(tenant, table, tokensOf(text)))?.map(({ id }) => id)),
    count: (model: string, field: string, value: CountedValue) =>
      on(model, (tenant, table) => counters.count(tenant, table, field, value)),
    counts: (model: string, field: string) =>
      on(model, async (tenant, table) => {
        const all = await counters.all(tenant, table, field)
        return all && Object.fromEntries(all.map(({ value, count }) => [String(value), count]))
      }),
  }
}
