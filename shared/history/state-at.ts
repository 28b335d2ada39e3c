import type { Clock } from '../kernel/clock.ts'
import { Conflict } from '../kernel/faults.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import type { Key } from '../store/keys/key.ts'
import { recordKey, tombstoneKey } from '../store/keys/records.ts'
import type { Item } from '../store/marshal.ts'
import { isLiving, readRecordData } from '../store/rows/record-row.ts'
import { readLatest, type LatestVersion } from '../store/rows/tombstone-row.ts'
import type { Store } from '../store/store.ts'
import { readTrailRow, type TrailRow } from '../trail/service.ts'
import { readChanges } from './history-row.ts'
import { readHistoryRows } from './read-history-rows.ts'

/** History entries per read. */
const entriesPerRead = 100

export interface StateDependencies {
  readonly store: Pick<Store, 'query'>
  readonly clock: Clock
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/** The state of a record after one of its versions. */
export interface RecordState {
  readonly version: number
  readonly created_by: number
  readonly updated_by: number
  readonly created_at: string
  readonly updated_at: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The keys of the rows that hold the latest version of a record: its own row, or the tombstone it left. */
export const recordAndTombstoneKeys = (tenant: TenantRef, model: string, id: number): readonly [Key, Key] => [
  recordKey(tenant, model, id),
  tombstoneKey(tenant, model, id),
]

/** The record as one of its versions left it; undefined when that version deleted it. Otherwise as `stateAt`. */
export const stateOfVersion = (
  deps: StateDependencies,
  tenant: TenantRef,
  { model, id, version }: { readonly model: string; readonly id: number; readonly version: number },
  rows: readonly (Item | null | undefined)[],
): Promise<RecordState | undefined> => latestState(deps, tenant, model, id, (row) => row.version <= version, rows)

/**
 * The record as it was at a point in time (ISO 8601, UTC): the current data with every later change undone. `record`
 * and `tombstone` are its rows. Undefined when it was not created yet, or deleted. Throws Conflict while entries are
 * missing.
 */
export const stateAt = (
  deps: StateDependencies,
  tenant: TenantRef,
  model: string,
  id: number,
  at: string,
  rows: readonly (Item | null | undefined)[],
): Promise<RecordState | undefined> => latestState(deps, tenant, model, id, (row) => row.at <= at, rows)

/** The record after the newest of its versions that `isWanted`. */
async function latestState(
  deps: StateDependencies,
  tenant: TenantRef,
  model: string,
  id: number,
  isWanted: (row: TrailRow) => boolean,
  [record, tombstone]: readonly (Item | null | undefined)[],
): Promise<RecordState | undefined> {
  const newest = readLatest(record, tombstone)
  if (!newest) return undefined
  // History does not distinguish a field without a value from one that is null.
  const current = isLiving(record) ? readRecordData(record) : {}
  const data = Object.fromEntries(Object.entries(current).filter(([, value]) => value !== null))
  const { changedAt } = newest
  for (let to = newest.version; to >= 1; to -= entriesPerRead) {
    const range = { model, id, from: Math.max(1, to - entriesPerRead + 1), to, changedAt }
    const { rows, pending } = await readHistoryRows(deps, tenant, range)
    if (pending.length > 0)
      throw new Conflict('history_pending', 'The history of this record is still being written. Try again.')
    for (const item of rows) {
      const row = readTrailRow(item)
      if (isWanted(row)) return row.action === 'delete' ? undefined : describe(row, data, newest)
      for (const [name, change] of Object.entries(await readChanges(item, deps.fetchObject))) {
        if (change.old === null) delete data[name]
        else data[name] = change.old
      }
    }
  }
  return undefined
}

const describe = (row: TrailRow, data: RecordState['data'], newest: LatestVersion): RecordState => ({
  version: row.version,
  created_by: newest.created_by,
  updated_by: row.userId,
  created_at: newest.created_at,
  updated_at: row.at,
  data,
})
