import type { TenantRef } from '../../../kernel/tenancy.ts'
import { columnLogPartition, columnLogSort } from '../../../store/keys/columns.ts'
import { readAll } from '../../../store/ranges/read-all.ts'
import type { Store } from '../../../store/store.ts'
import { type LogHead, type LogRow, readLogHead, readLogItem } from '../../log-entry.ts'

/** An entry whose rows are not unpacked yet: many at once would keep other requests waiting. */
export interface LogEntry extends LogHead {
  rows(): readonly LogRow[]
}

/** The entries of a table's log behind `seq`, as far as they are visible. */
export async function readLog(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  model: string,
  seq: number,
): Promise<LogEntry[]> {
  const items = await readAll(store, tenant, {
    pk: columnLogPartition(tenant, model),
    from: columnLogSort(seq + 1),
    consistent: false,
  })
  return items.map((item) => ({ ...readLogHead(item), rows: () => readLogItem(item).rows }))
}
