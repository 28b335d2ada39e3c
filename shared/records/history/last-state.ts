import { Conflict } from '../../kernel/failures/faults.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { withNames } from '../../platform/store/rows/stored-names.ts'
import { readTombstone } from '../../platform/store/rows/tombstone-row.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { readTrailRow } from '../../platform/trail/trail-event.ts'
import { readChanges } from './history-row.ts'
import { readHistoryRows } from './read-history-rows.ts'
import type { HistoryTable, RecordState, StateDependencies } from './state-at.ts'

/**
 * The state of a deleted record before its delete, from the delete's history entry. Throws Conflict while that is
 * missing.
 */
export async function lastState(
  services: StateDependencies,
  tenant: TenantRef,
  table: HistoryTable,
  id: number,
  tombstone: Item,
): Promise<RecordState> {
  const { version, created_by, created_at, deletedAt } = readTombstone(tombstone)
  const range = { model: table.name, id, from: Math.max(1, version - 1), to: version, changedAt: deletedAt }
  const { rows, pending } = await readHistoryRows(services, tenant, range)
  if (pending.length > 0)
    throw new Conflict('history_pending', 'The history of this record is still being written. Try again.')
  const [removal, before] = rows as [Item, Item]
  const { userId, at } = readTrailRow(before)
  const changes = Object.entries(await readChanges(removal, services.fetchObject))
  return {
    version: version - 1,
    created_by,
    updated_by: userId,
    created_at,
    updated_at: at,
    data: withNames(table, Object.fromEntries(changes.map(([name, { old }]) => [name, old]))),
  }
}
