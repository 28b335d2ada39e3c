import { byName } from '../../kernel/collections/own-members.ts'
import { Conflict } from '../../kernel/failures/faults.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import { idText, type Key } from '../../platform/store/keys/key.ts'
import { recordKey, tombstoneKey } from '../../platform/store/keys/records.ts'
import { readRecordData } from '../../platform/store/rows/record-row.ts'
import { asStored, type NamedFields, withNames } from '../../platform/store/rows/stored-names.ts'
import { type LatestVersion, readLatest } from '../../platform/store/rows/tombstone-row.ts'
import { writeRecordData } from '../../platform/store/rows/write-record-row.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { readTrailRow, type TrailRow } from '../../platform/trail/trail-event.ts'
import { readChanges } from './history-row.ts'
import { readHistoryRows } from './read-history-rows.ts'

/** History entries per read. */
const entriesPerRead = 100

export interface StateDependencies {
  readonly store: Pick<Store, 'query'>
  readonly clock: Clock
  readonly fetchObject: (key: string) => Promise<Uint8Array>
}

/** The table of a record, whose history has the names that fields are stored under. */
export type HistoryTable = NamedFields & { readonly name: string }

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
  services: StateDependencies,
  tenant: TenantRef,
  table: HistoryTable,
  { id, version }: { readonly id: number; readonly version: number },
  rows: readonly (Item | null | undefined)[],
): Promise<RecordState | undefined> => latestState(services, tenant, table, id, (row) => row.version <= version, rows)

/**
 * The record as it was at a point in time (ISO 8601, UTC): the current data with every later change undone, or the first
 * with every earlier one made, whichever are fewer. `record`
 * and `tombstone` are its rows. Undefined when it was not created yet, or deleted. Throws Conflict while entries are
 * missing.
 */
export const stateAt = (
  services: StateDependencies,
  tenant: TenantRef,
  table: HistoryTable,
  id: number,
  at: string,
  rows: readonly (Item | null | undefined)[],
): Promise<RecordState | undefined> => latestState(services, tenant, table, id, (row) => row.at <= at, rows)

/**
 * The states that a record has had since a moment (ISO 8601, UTC), newest first: the last is the one that it had then. Versions
 * that deleted it have none. Throws Conflict while entries are missing.
 */
export async function* statesSince(
  services: StateDependencies,
  tenant: TenantRef,
  table: HistoryTable,
  id: number,
  at: string,
  rows: readonly (Item | null | undefined)[],
): AsyncGenerator<RecordState> {
  const latest = readCurrent(services, tenant, table, id, rows)
  if (!latest) return
  const { newest, data, read } = latest
  for (let to = newest.version; to >= 1; to -= entriesPerRead) {
    for (const item of await read(Math.max(1, to - entriesPerRead + 1), to)) {
      const row = readTrailRow(item)
      if (row.action !== 'delete') yield describe(table, row, { ...data }, newest)
      if (row.at <= at) return
      await apply(services, data, item, 'old')
    }
  }
}

/** The latest version of a record and its data, with what reads its entries; undefined when there is neither row. */
function readCurrent(
  services: StateDependencies,
  tenant: TenantRef,
  { name: model }: HistoryTable,
  id: number,
  [record, tombstone]: readonly (Item | null | undefined)[],
) {
  const newest = readLatest(record, tombstone)
  if (!newest) return undefined
  // History does not distinguish a field without a value from one that is null.
  const current = record && record.deleted_at === undefined ? readRecordData(record, asStored) : {}
  const data = Object.fromEntries(Object.entries(current).filter(([, value]) => value !== null))
  const { changedAt } = newest
  const read = async (from: number, to: number): Promise<readonly Item[]> => {
    const { rows, pending } = await readHistoryRows(services, tenant, { model, id, from, to, changedAt })
    if (pending.length > 0)
      throw new Conflict('history_pending', 'The history of this record is still being written. Try again.')
    return rows
  }
  return { newest, data, read }
}

/** The record after the newest of its versions that `isWanted`. */
async function latestState(
  services: StateDependencies,
  tenant: TenantRef,
  table: HistoryTable,
  id: number,
  isWanted: (row: TrailRow) => boolean,
  rows: readonly (Item | null | undefined)[],
): Promise<RecordState | undefined> {
  const latest = readCurrent(services, tenant, table, id, rows)
  if (!latest) return undefined
  const { newest, data, read } = latest
  for (let to = newest.version; to >= 1; to -= entriesPerRead) {
    for (const item of await read(Math.max(1, to - entriesPerRead + 1), to)) {
      const row = readTrailRow(item)
      if (isWanted(row)) return row.action === 'delete' ? undefined : describe(table, row, data, newest)
      await apply(services, data, item, 'old')
    }
    // It was long ago: from the beginning it may be nearer.
    if (to === newest.version && to > entriesPerRead) {
      const wanted = await newestWanted(read, to - entriesPerRead, isWanted)
      if (wanted < to - entriesPerRead - wanted) return replay(services, table, read, wanted, newest)
    }
  }
  return undefined
}

/** The last of the versions 1 to `to` that is wanted, in as few reads as possible; 0 when none is. */
async function newestWanted(
  read: (from: number, to: number) => Promise<readonly Item[]>,
  to: number,
  isWanted: (row: TrailRow) => boolean,
): Promise<number> {
  let [wanted, unwanted] = [0, to + 1]
  while (unwanted - wanted > 1) {
    const middle = Math.floor((wanted + unwanted) / 2)
    const [item] = await read(middle, middle)
    if (item && isWanted(readTrailRow(item))) wanted = middle
    else unwanted = middle
  }
  return wanted
}

/** The record after one of its versions, made from the versions before it. */
async function replay(
  services: StateDependencies,
  table: NamedFields,
  read: (from: number, to: number) => Promise<readonly Item[]>,
  version: number,
  newest: LatestVersion,
): Promise<RecordState | undefined> {
  const data = byName<unknown>()
  let last: TrailRow | undefined
  for (let from = 1; from <= version; from += entriesPerRead) {
    for (const item of (await read(from, Math.min(version, from + entriesPerRead - 1))).toReversed()) {
      last = readTrailRow(item)
      await apply(services, data, item, 'new')
    }
  }
  return last === undefined || last.action === 'delete' ? undefined : describe(table, last, data, newest)
}

/** Applies the changes of a version: its new values, or the old ones to undo it. */
async function apply(
  { fetchObject }: StateDependencies,
  data: Record<string, unknown>,
  item: Item,
  side: 'old' | 'new',
): Promise<void> {
  for (const [name, change] of Object.entries(await readChanges(item, fetchObject))) {
    if (change[side] === null) delete data[name]
    else data[name] = change[side]
  }
}

const describe = (
  table: NamedFields,
  row: TrailRow,
  data: RecordState['data'],
  newest: LatestVersion,
): RecordState => ({
  version: row.version,
  created_by: newest.created_by,
  updated_by: row.userId,
  created_at: newest.created_at,
  updated_at: row.at,
  data: withNames(table, data),
})

/** A state as an item, so that row rules can judge it. */
export const stateItem = (
  tenant: TenantRef,
  table: NamedFields,
  id: number,
  { data, ...standard }: RecordState,
): Item => ({
  ...standard,
  sk: idText(id),
  tenant_id: tenant.id,
  data: writeRecordData(table, data),
})
