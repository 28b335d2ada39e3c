import { Conflict } from '../../../kernel/failures/faults.ts'
import type { Tenant } from '../../../kernel/tenancy.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { type NamedFields, withNames } from '../../../platform/store/rows/stored-names.ts'
import { readChanges } from '../../../records/history/history-row.ts'
import { readHistoryRows } from '../../../records/history/read-history-rows.ts'
import { readLivingRecord, visibleData } from '../../../records/records/record-item.ts'
import type { ProcessDependencies } from '../dependencies.ts'

type Fields = Readonly<Record<string, unknown>>

/** A record as it was after one of its versions. */
export interface RecordVersion {
  readonly version: number
  readonly data: Fields
  /** The fields before that version; undefined for the first. */
  before(): Promise<Fields | undefined>
}

/**
 * The record as it was after `version`: the current record with every later change reverted. undefined when the record
 * is gone. Throws Conflict while history that this needs is still being written.
 */
export async function recordAtVersion(
  processes: ProcessDependencies,
  tenant: Tenant,
  model: string,
  id: number,
  version: number,
): Promise<RecordVersion | undefined> {
  const { store, tables } = processes
  const [table, item] = await Promise.all([tables.find(tenant, model), store.get(tenant, recordKey(tenant, model, id))])
  const current = table && readLivingRecord(item, table)
  if (!current) return undefined
  const now = visibleData(table, current.data)
  const revertRange = (data: Fields, from: number, to: number) =>
    revert(processes, tenant, table, { model, id, from, to, changedAt: current.updated_at }, data)
  const data = version >= current.version ? now : await revertRange(now, version + 1, current.version)
  return {
    version: Math.min(version, current.version),
    data,
    before: async () => (version <= 1 || version > current.version ? undefined : revertRange(data, version, version)),
  }
}

async function revert(
  processes: ProcessDependencies,
  tenant: Tenant,
  table: NamedFields,
  range: Parameters<typeof readHistoryRows>[2],
  data: Fields,
): Promise<Fields> {
  const { rows, pending } = await readHistoryRows(processes, tenant, range)
  if (pending.length > 0)
    throw new Conflict('history_pending', 'The history of this record is still being written. Try again.')
  const reverted: Record<string, unknown> = { ...data }
  for (const row of rows) {
    for (const [name, change] of Object.entries(
      withNames(table, await readChanges(row, processes.objects.fetchObject)),
    ))
      reverted[name] = change.old
  }
  return reverted
}
