import { Conflict } from '../../../kernel/failures/faults.ts'
import { mergedRecord } from '../../../kernel/failures/merged-record.ts'
import { isLiving, readMergedInto, readRecordData } from '../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import type { Table } from '../../../tables/tables/table.ts'
import { recordAndTombstoneKeys } from '../../history/state-at.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { currentItem, type FetchObject, stateVisibleAt } from '../read/point-in-time.ts'
import { answerRecord, type RecordData, visibleData } from '../record-item.ts'
import type { EntityRecord } from '../schema.ts'
import { changeRecord } from './change-record.ts'
import { withoutDerived } from './check-fields.ts'
import { withoutMissingFiles } from './existing-files.ts'
import { type FieldAccess, fieldAccess, mayWrite } from './field-access.ts'
import { type BroughtBack, recreate } from './return-record.ts'

export interface Restored {
  readonly record: EntityRecord
  /** Paths of files that the record held and that no longer exist. */
  readonly missingFiles: readonly string[]
  /** Of a deleted record: what came back with it. */
  readonly back?: BroughtBack
}

/**
 * Restores a record to its state at `at` (docs/decisions/0032). An existing record gets an ordinary update, with its
 * hooks; a deleted one comes back under its old id. Does not check transitions and conditions, but unique values, references and the
 * fields' configuration. Fields that the actor may not change keep their value, of a deleted record the last one. Throws
 * NotFound, Invalid and Conflict.
 */
export const restoreRecord = (
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  id: number,
  at: string,
  fetchObject: FetchObject,
): Promise<Restored> =>
  retryWithJitter(records.clock, async (again) => {
    try {
      return await restoreOnce(records, actor, table, id, at, fetchObject)
    } catch (error) {
      if (isRefusal(error)) return again(error)
      throw error
    }
  })

async function restoreOnce(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  id: number,
  at: string,
  fetchObject: FetchObject,
): Promise<Restored> {
  const { store } = records
  const { tenant } = actor
  const [record, tombstone] = await store.getMany(tenant, recordAndTombstoneKeys(tenant, table.name, id))
  const state = await stateVisibleAt({ ...records, fetchObject }, actor, table, id, at, [record, tombstone], 'update')
  const access = fieldAccess(actor, table.name, 'update')
  const then = visibleData(table, state.data, access.writable)
  const kept =
    record || !access.writable
      ? {}
      : fieldsOf(table, await currentItem({ ...records, fetchObject }, tenant, table, id, [record, tombstone]))
  const { data, missingFiles } = await withoutMissingFiles(records, tenant, table, access, {
    ...Object.fromEntries(Object.entries(visibleData(table, kept)).filter(([name]) => !mayWrite(access, name))),
    ...then,
  })
  const source = { ...actor, source: 'restore' }
  const into = readMergedInto(record)
  if (into !== undefined) throw mergedRecord(table.name, id, into)
  if (record && !isLiving(record)) throw new Conflict('record_busy', 'The record is being deleted. Try again.')
  if (!record) {
    const { record: again, ...back } = await recreate(records, source, table, id, state, data, tombstone as Item)
    return { record: answerRecord(table, again, access.readable), missingFiles, back }
  }
  const restored = await changeRecord(
    records,
    source,
    table,
    id,
    withoutDerived(table, { ...clearedFields(table, record, access), ...data }),
    { restores: true, permit: (item) => records.access.require(actor, table.name, id, 'update', item) },
  )
  return { record: answerRecord(table, restored, access.readable), missingFiles }
}

const fieldsOf = (table: Table, item: Item | undefined): RecordData => (item ? readRecordData(item, table) : {})

/** Every field that has a value now, as null, so that the restore clears what had none then. */
const clearedFields = (table: Table, record: Item, access: FieldAccess): RecordData =>
  Object.fromEntries(
    Object.keys(readRecordData(record, table))
      .filter((name) => table.fieldsByName.has(name) && mayWrite(access, name))
      .map((name) => [name, null]),
  )
