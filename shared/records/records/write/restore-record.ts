import { Conflict, Invalid } from '../../../kernel/failures/faults.ts'
import { mergedRecord } from '../../../kernel/failures/merged-record.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { tombstoneKey } from '../../../platform/store/keys/records.ts'
import { isLiving, readMergedInto, readRecordData } from '../../../platform/store/rows/record-row.ts'
import { readTombstone } from '../../../platform/store/rows/tombstone-row.ts'
import { countNewRecords } from '../../../platform/store/sequence/recount.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { atVersion, isNew } from '../../../platform/store/writes/conditions.ts'
import { isRefusal } from '../../../platform/store/writes/refusals.ts'
import { retryWithJitter } from '../../../platform/store/writes/retry-with-jitter.ts'
import { typeOfField } from '../../../tables/field-types/service.ts'
import { pathsIn } from '../../../tables/files/service.ts'
import { withComputed } from '../../../tables/formulas/service.ts'
import { rollupsOf, type Table } from '../../../tables/tables/service.ts'
import { recordAndTombstoneKeys, type RecordState } from '../../history/service.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { currentItem, stateVisibleAt, type FetchObject } from '../read/point-in-time.ts'
import {
  answerRecord,
  recordItem,
  toldToWatchers,
  touchedRollups,
  visibleData,
  type RecordData,
  type StoredRecord,
} from '../record-item.ts'
import { openRules } from '../rules/open-rules.ts'
import type { EntityRecord } from '../schema.ts'
import { changeRecord } from './change-record.ts'
import { checkRestoredFields, withGenerated, withoutDerived } from './check-fields.ts'
import { checkReferences } from './check-references.ts'
import { type FieldAccess, fieldAccess, mayRead, mayWrite } from './field-access.ts'
import { saveRecord } from './save-record.ts'
import { explained } from './taken-values.ts'
import { moveInTree } from './tree-writes.ts'
import { findTaken, guardWrites } from './unique-guards.ts'

export interface Restored {
  readonly record: EntityRecord
  /** Paths of files that the record held and that no longer exist. */
  readonly missingFiles: readonly string[]
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
  const restored = record
    ? await changeRecord(
        records,
        source,
        table,
        id,
        withoutDerived(table, { ...clearedFields(table, record, access), ...data }),
        { restores: true, permit: (item) => records.access.require(actor, table.name, id, 'update', item) },
      )
    : await recreate(records, source, table, id, state, data, tombstone as Item)
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

/** A deleted record that an undo brings back. */
export interface ReturningRecord {
  readonly id: number
  /** Its last state. */
  readonly state: RecordState
  readonly tombstone: Item
}

/**
 * Brings a deleted record back as it was last, without files that no longer exist; `writesWith` are further writes of the
 * transaction. Throws Invalid, Conflict, and TransactionRefused when somebody was faster.
 */
export async function returnRecord(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  { id, state, tombstone }: ReturningRecord,
  writesWith: (record: StoredRecord) => readonly Write[],
): Promise<StoredRecord> {
  const { data } = await withoutMissingFiles(records, actor.tenant, table, {}, visibleData(table, state.data))
  return recreate(records, actor, table, id, state, data, tombstone, writesWith)
}

/** Whether a deleted record could be brought back, without writing anything. Throws as `returnRecord` does. */
export async function previewReturn(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  { id, state, tombstone }: ReturningRecord,
): Promise<void> {
  const { data: fields } = await withoutMissingFiles(records, actor.tenant, table, {}, visibleData(table, state.data))
  const { data } = await prepareReturn(records, actor, table, id, fields, tombstone)
  const taken = await findTaken(records.store, actor.tenant, table, id, undefined, data)
  if (Object.keys(taken).length > 0) throw await explained(records, actor, table, data, new Invalid(taken))
}

/** The fields, without those whose files no longer exist, and the names of these. */
export async function withExistingFiles(
  records: RecordDependencies,
  { tenant }: Actor,
  table: Table,
  data: RecordData,
): Promise<{ readonly data: RecordData; readonly missing: readonly string[] }> {
  const found = await withoutMissingFiles(records, tenant, table, {}, data)
  const missing = Object.keys(data).filter((name) => found.data[name] !== data[name])
  return { data: Object.fromEntries(Object.entries(data).filter(([name]) => !missing.includes(name))), missing }
}

/** Checks the fields of a record that comes back. Throws Invalid and Conflict. */
async function prepareReturn(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  id: number,
  fields: RecordData,
  tombstone: Item,
) {
  const { version, deletedAt, afterDue } = readTombstone(tombstone)
  if (afterDue !== undefined)
    throw new Conflict('record_busy', 'The hooks of the delete have not ended yet. Try again.')
  const rules = await openRules(records, actor, table)
  const restored = await withComputed(table, checkRestoredFields(table, withoutDerived(table, fields), rules))
  const data = withGenerated(table, id, restored, fields)
  const missing = await checkReferences(records, actor.tenant, table, data, Object.keys(data), actor)
  if (Object.keys(missing).length > 0) throw new Invalid(missing)
  return { data, version, deletedAt }
}

async function recreate(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  id: number,
  state: RecordState,
  fields: RecordData,
  tombstone: Item,
  writesWith?: (record: StoredRecord) => readonly Write[],
): Promise<StoredRecord> {
  const { store, clock } = records
  const { tenant } = actor
  const { data, version, deletedAt } = await prepareReturn(records, actor, table, id, fields, tombstone)
  const record: StoredRecord = {
    id,
    tenant_id: tenant.id,
    created_by: state.created_by,
    created_at: state.created_at,
    updated_by: actor.userId,
    updated_at: isoTime(Math.max(clock.now(), Date.parse(deletedAt))),
    version: version + 1,
    data,
  }
  const files = records.files.writes(tenant, table, record, undefined, data)
  const treeWrites = await moveInTree(records, tenant, table, id, undefined, data)
  const removeTombstone = {
    remove: tombstoneKey(tenant, table.name, id),
    if: atVersion(version),
  }
  const item = {
    ...recordItem(table, record, actor, clock.uuid()),
    ...touchedByReturn(table, record),
    ...toldToWatchers,
  }
  try {
    await saveRecord(store, tenant, item, isNew, guardWrites(tenant, table, id, undefined, data), [
      ...files.writes,
      removeTombstone,
      ...treeWrites,
      countNewRecords(tenant, table, [id]),
      ...(writesWith?.(record) ?? []),
    ])
  } catch (error) {
    throw await explained(records, actor, table, data, error)
  }
  return record
}

/** A record that comes back counts again, and its own rollups count what still refers to it. */
function touchedByReturn(table: Table, { id, data }: StoredRecord): { readonly touched?: string } {
  const { touched } = touchedRollups(table, data)
  const own = rollupsOf(table).length > 0 ? [`${table.name}#${id}`] : []
  const all = [...own, ...(touched === undefined ? [] : [touched])]
  return all.length > 0 ? { touched: all.join(' ') } : {}
}

/** Leaves out paths whose file no longer exists: they cannot be claimed again. Names those of fields that may be read. */
async function withoutMissingFiles(
  { files }: RecordDependencies,
  tenant: TenantRef,
  table: Table,
  access: FieldAccess,
  data: RecordData,
): Promise<{ data: RecordData; missingFiles: string[] }> {
  const kept: Record<string, unknown> = { ...data }
  const missingFiles = new Set<string>()
  for (const field of table.table_fields) {
    if (!typeOfField(field).files) continue
    const paths = pathsIn(data[field.name])
    const isMissing = await Promise.all(
      paths.map(
        async (path) => Object.keys(await files.check(tenant, table, { [field.name]: path }, [field.name])).length > 0,
      ),
    )
    const left = paths.filter((_, index) => !isMissing[index])
    if (left.length === paths.length) continue
    if (mayRead(access, field.name))
      for (const [index, path] of paths.entries()) if (isMissing[index]) missingFiles.add(path)
    kept[field.name] = Array.isArray(data[field.name]) && left.length > 0 ? left : (left[0] ?? null)
  }
  return { data: kept, missingFiles: [...missingFiles] }
}
