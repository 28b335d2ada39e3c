import type { Tenant } from '../../../kernel/tenancy.ts'
import type { TellUnreadable } from '../../../lists/columns/row-of-record.ts'
import { readRecordRange } from '../../../platform/store/ranges/record-range.ts'
import { type DerivationDependencies, deriveRecords } from '../../../records/rollups/derive-records.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { IdRange } from './rebuild-job.ts'

/** Makes the derived values of some records anew, as their table's configuration says now. */
export async function deriveValues(
  services: DerivationDependencies,
  tenant: Tenant,
  table: Table,
  ids: IdRange,
  tell: TellUnreadable,
): Promise<void> {
  const items = await readRecordRange(services.store, tenant, { model: table.name, ...ids, livingOnly: true })
  await deriveRecords(services, tenant, table, items, 'formula', (id, cause) => {
    // What cannot be parsed stays as it is; anything else is tried again.
    if (!(cause instanceof SyntaxError)) throw cause
    tell(id, cause)
  })
}
