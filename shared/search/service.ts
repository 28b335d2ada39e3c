import type { TenantRef } from '../kernel/tenancy.ts'
import type { Store } from '../store/store.ts'
import type { Table } from '../tables/service.ts'
import { findRecords, type FoundRecord } from './find-records.ts'
import { createValueCounters } from './value-counters.ts'

export { indexChanges } from './index-changes.ts'
export { indexRecords } from './index-records.ts'
export { tokensOf } from './tokens.ts'

/** What queries use of search: finding records by words, and counting records by value. */
export function createSearch(store: Store) {
  const find = (
    tenant: TenantRef,
    table: Table,
    words: readonly string[],
  ): Promise<readonly FoundRecord[] | undefined> => findRecords(store, tenant, table, words)
  return { searchIndex: { find }, counters: createValueCounters(store) }
}
