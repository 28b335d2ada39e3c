/** The column index of a store as it works in the service: its keeper, told of changes by hand, and a reader. */
import type { Tenant } from '../../../../shared/kernel/tenancy.ts'
import { type Clock, clock as systemClock } from '../../../../shared/kernel/time/clock.ts'
import { indexChanges } from '../../../../shared/lists/columns/keeper/index-changes.ts'
import { createKeeper } from '../../../../shared/lists/columns/keeper/keeper.ts'
import { type Columns, createColumns } from '../../../../shared/lists/columns/reader/create-columns.ts'
import type { Store } from '../../../../shared/platform/store/store.ts'
import type { Table } from '../../../../shared/tables/tables/table.ts'

export interface ColumnIndex {
  readonly columns: Columns
  /** Tells the keeper that these records changed. `versionOf`: the version of the change, which deletions need; else 1. */
  keep(model: string, ids: readonly number[], versionOf?: (id: number) => number): Promise<void>
  /** Folds the log of a table now. */
  fold(model: string): Promise<void>
}

export function openColumnIndex(
  store: Store,
  tenant: Tenant,
  tables: readonly Table[],
  {
    clock = systemClock,
    budgetBytes = 64 * 1024 * 1024,
    limits,
  }: { clock?: Clock; budgetBytes?: number; limits?: Parameters<typeof createKeeper>[0]['limits'] } = {},
): ColumnIndex {
  const byName = new Map(tables.map((table) => [table.name, table]))
  const keeper = createKeeper({ store, clock, limits, tables: { find: async (_, name) => byName.get(name) } })
  const services = { store, keeper, findTenant: async () => tenant, readSaid: async () => new Map() }
  return {
    columns: createColumns({ store, clock, budgetBytes }),
    async keep(model, ids, versionOf = () => 1) {
      const failures = await indexChanges(
        services,
        ids.map((id) => ({
          message: {
            v: 1,
            tenant_id: tenant.id,
            model,
            id,
            version: versionOf(id),
            action: 'update',
            actor: 1,
            source: null,
          },
        })),
      )
      for (const cause of failures.values()) throw cause
    },
    async fold(model) {
      await keeper.foldNow(tenant, model)
    },
  }
}
