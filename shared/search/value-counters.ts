import type { TenantRef } from '../kernel/tenancy.ts'
import { counterKey, counterPartition, counterSort } from '../store/keys/search.ts'
import { readAll } from '../store/read-all.ts'
import type { Store } from '../store/store.ts'
import { type CountedValue, counterValue, type Table } from '../tables/service.ts'
import { readCounter } from './index-rows.ts'

/** A value of a field and how many records have it; null is no value. */
export interface ValueCount {
  readonly value: CountedValue
  readonly count: number
}

/** Counts records by value without reading them; undefined for fields that are not counted, or not completely yet. */
export function createValueCounters(store: Pick<Store, 'get' | 'query'>) {
  const isKept = (table: Table, field: string): boolean => table.search_index.counted.includes(field)

  async function count(
    tenant: TenantRef,
    table: Table,
    field: string,
    value: CountedValue,
  ): Promise<number | undefined> {
    if (!isKept(table, field)) return undefined
    const row = await store.get(
      tenant,
      counterKey(tenant, table.name, field, table.search_index.generation, counterSort(value)),
    )
    return readCounter(row)
  }

  /** Every value of a field with its count, for grouping. */
  async function all(tenant: TenantRef, table: Table, field: string): Promise<readonly ValueCount[] | undefined> {
    const definition = table.fieldsByName.get(field)
    if (!definition || !isKept(table, field)) return undefined
    const pk = counterPartition(tenant, table.name, field, table.search_index.generation)
    const counts: ValueCount[] = []
    for (const item of await readAll(store, tenant, { pk })) {
      const records = readCounter(item)
      if (records > 0) counts.push({ value: counterValue(definition, String(item.sk)), count: records })
    }
    return counts
  }

  return { count, all }
}
