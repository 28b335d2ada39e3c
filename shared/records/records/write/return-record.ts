import { Conflict, Invalid } from '../../../kernel/failures/faults.ts'
import { permittedFields } from '../../../kernel/permissions.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { tombstoneKey } from '../../../platform/store/keys/records.ts'
import { allowReferences } from '../../../platform/store/rows/reference-guard-row.ts'
import { returnRetained } from '../../../platform/store/rows/retention-row.ts'
import { readTombstone } from '../../../platform/store/rows/tombstone-row.ts'
import { countNewRecords } from '../../../platform/store/sequence/recount.ts'
import type { Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { atVersion, isNew } from '../../../platform/store/writes/conditions.ts'
import { withComputed } from '../../../tables/formulas/service.ts'
import { rollupsOf } from '../../../tables/tables/checks/check-rollups.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { RecordState } from '../../history/state-at.ts'
import type { Actor } from '../actor.ts'
import { bringBack, continuedAfterMs, previewRetained, readRetention, type Returned } from '../delete/retention.ts'
import type { RecordDependencies } from '../dependencies.ts'
import {
  type RecordData,
  recordItem,
  type StoredRecord,
  toldToWatchers,
  touchedRollups,
  visibleData,
} from '../record-item.ts'
import { openRules } from '../rules/open-rules.ts'
import { checkRestoredFields, withGenerated, withoutDerived } from './check-fields.ts'
import { checkReferences } from './check-references.ts'
import { withoutMissingFiles } from './existing-files.ts'
import { requireUndeleted } from './note-restricting.ts'
import { saveRecord } from './save-record.ts'
import { explained } from './taken-values.ts'
import { moveInTree } from './tree-writes.ts'
import { findTaken, guardWrites } from './unique-guards.ts'

/** What comes back with a deleted record, and the process instances that its delete cancelled, which stay so. */
export interface BroughtBack {
  readonly returned: Returned
  readonly cancelled: readonly number[]
}

/** A deleted record that an undo brings back. */
export interface ReturningRecord {
  readonly id: number
  /** Its last state. */
  readonly state: RecordState
  readonly tombstone: Item
}

/**
 * Brings a deleted record back as it was last, without files that no longer exist (of which those in fields that the actor may
 * read are named); `writesWith` are further writes of the transaction. Throws Invalid, Conflict, and TransactionRefused when
 * somebody was faster.
 */
export async function returnRecord(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  { id, state, tombstone }: ReturningRecord,
  writesWith: (record: StoredRecord) => readonly Write[],
): Promise<BroughtBack & { readonly missingFiles: readonly string[] }> {
  const access = { readable: permittedFields(actor, table.name, 'read') }
  const { data, missingFiles } = await withoutMissingFiles(
    records,
    actor.tenant,
    table,
    access,
    visibleData(table, state.data),
  )
  return { ...(await recreate(records, actor, table, id, state, data, tombstone, writesWith)), missingFiles }
}

/** Whether and with what a deleted record could be brought back, without writing anything. Throws as `returnRecord` does. */
export async function previewReturn(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  { id, state, tombstone }: ReturningRecord,
): Promise<BroughtBack> {
  const { data: fields } = await withoutMissingFiles(records, actor.tenant, table, {}, visibleData(table, state.data))
  const { data, deletedAt, cancels = [] } = await prepareReturn(records, actor, table, id, fields, tombstone)
  const taken = await findTaken(records.store, actor.tenant, table, id, undefined, data)
  if (Object.keys(taken).length > 0) throw await explained(records, actor, table, data, new Invalid(taken))
  return {
    returned: await previewRetained(records, actor.tenant, table.name, id, deletedAt),
    cancelled: cancels,
  }
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
  const { afterDue, ...deleted } = readTombstone(tombstone)
  if (afterDue !== undefined)
    throw new Conflict('record_busy', 'The hooks of the delete have not ended yet. Try again.')
  const rules = await openRules(records, actor, table)
  const restored = await withComputed(table, checkRestoredFields(table, withoutDerived(table, fields), rules))
  const data = withGenerated(table, id, restored, fields)
  const missing = await checkReferences(records, actor.tenant, table, data, Object.keys(data), actor)
  if (Object.keys(missing).length > 0) throw new Invalid(missing)
  return { ...deleted, data }
}

/** Writes a deleted record again under its id. What hung on it comes back with it and right after it. */
export async function recreate(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  id: number,
  state: RecordState,
  fields: RecordData,
  tombstone: Item,
  writesWith?: (record: StoredRecord) => readonly Write[],
): Promise<BroughtBack & { readonly record: StoredRecord }> {
  const { store, clock } = records
  const { tenant } = actor
  const before = await prepareReturn(records, actor, table, id, fields, tombstone)
  const { data, version, deletedAt, cancels = [] } = before
  const retained = await readRetention(records, tenant, table.name, id, deletedAt)
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
  await requireUndeleted(records, tenant, table, record)
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
    // Who snoozed it has it snoozed still.
    ...(state.version === version - 1 && { same_since: before.sameSince ?? state.version }),
  }
  try {
    await saveRecord(store, tenant, item, isNew, guardWrites(tenant, table, id, undefined, data), [
      ...files.writes,
      removeTombstone,
      allowReferences(tenant, table.name, id),
      ...treeWrites,
      countNewRecords(tenant, table, [id]),
      returnRetained(tenant, table.name, id, retained, {
        dueAtMs: clock.now() + continuedAfterMs,
        writeId: clock.uuid(),
      }),
      ...(writesWith?.(record) ?? []),
    ])
  } catch (error) {
    throw await explained(records, actor, table, data, error)
  }
  return { record, returned: await bringBack(records, tenant, table.name, id, retained), cancelled: cancels }
}

/** A record that comes back counts again, and its own rollups count what still refers to it. */
function touchedByReturn(table: Table, { id, data }: StoredRecord): { readonly touched?: string } {
  const { touched } = touchedRollups(table, data)
  const own = rollupsOf(table).length > 0 ? [`${table.name}#${id}`] : []
  const all = [...own, ...(touched === undefined ? [] : [touched])]
  return all.length > 0 ? { touched: all.join(' ') } : {}
}
