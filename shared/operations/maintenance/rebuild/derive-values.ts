import type { Tenant } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { TellUnreadable } from '../../../lists/columns/service.ts'
import { readRecordRange } from '../../../platform/store/ranges/record-range.ts'
import { readRecordHead } from '../../../platform/store/rows/record-row.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { writeDerived } from '../../../records/records/service.ts'
import { withComputed } from '../../../tables/formulas/service.ts'
import type { Table } from '../../../tables/tables/service.ts'
import type { IdRange } from './rebuild-job.ts'

const parallelRecords = 16

/** Makes the derived values of some records anew, as their table's configuration says now. */
export async function deriveValues(
  deps: { readonly store: Store; readonly clock: Clock },
  tenant: Tenant,
  table: Table,
  ids: IdRange,
  tell: TellUnreadable,
): Promise<void> {
  const items = await readRecordRange(deps.store, tenant, { model: table.name, ...ids, livingOnly: true })
  for (let start = 0; start < items.length; start += parallelRecords)
    await Promise.all(
      items.slice(start, start + parallelRecords).map((item) => deriveRecord(deps, tenant, table, item, tell)),
    )
}

async function deriveRecord(
  deps: { readonly store: Store; readonly clock: Clock },
  tenant: Tenant,
  table: Table,
  item: Item,
  tell: TellUnreadable,
): Promise<void> {
  const { id } = readRecordHead(item)
  try {
    await writeDerived(deps, tenant, table, id, {
      source: 'formula',
      item,
      derive: ({ data }) => withComputed(table, data),
    })
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    tell(id, cause)
  }
}
