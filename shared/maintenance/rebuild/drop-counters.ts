import type { TenantRef } from '../../kernel/tenancy.ts'
import { keyOfItem } from '../../store/keys/key.ts'
import { counterPartition } from '../../store/keys/search.ts'
import type { Store } from '../../store/store.ts'
import type { Table } from '../../tables/service.ts'

/** Removes the counters of replaced generations, which are neither written nor read any more. */
export async function dropCounters(
  store: Store,
  tenant: TenantRef,
  table: Table,
  generations: readonly number[],
): Promise<void> {
  const fields = [...table.table_fields, ...table.retired]
  for (const generation of generations) {
    for (const { name } of fields) {
      const { items } = await store.query(tenant, { pk: counterPartition(tenant, table.name, name, generation) })
      await store.writeMany(tenant, [], items.map(keyOfItem))
    }
  }
}
