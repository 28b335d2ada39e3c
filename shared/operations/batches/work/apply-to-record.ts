import type { Macro } from '../../../automation/macros/macro.ts'
import { runMacro } from '../../../automation/macros/run-macro.ts'
import { describeCancelled, withoutStart } from '../../../automation/processes/instances/cancelled-instances.ts'
import type { StartableProcess } from '../../../automation/processes/schema.ts'
import { mayOnTable, permittedFields } from '../../../kernel/permissions.ts'
import { ownEntry } from '../../../platform/store/rows/batch-entry-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Actor } from '../../../records/records/actor.ts'
import { previewRemoval, type RemoveOptions, removeRecord } from '../../../records/records/delete/remove-record.ts'
import type { StoredRecord } from '../../../records/records/record-item.ts'
import { changeRecord, previewChange } from '../../../records/records/write/change-record.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { WorkDependencies } from '../dependencies.ts'
import type { MergedPair } from '../rows/batch-row.ts'
import type { BatchRecord } from '../rows/page-row.ts'
import { changed, type RecordOutcome, unchanged } from './record-outcome.ts'

/** A batch as the work on one record sees it. */
export interface BatchRun {
  readonly services: WorkDependencies
  readonly actor: Actor
  readonly batchId: number
  readonly isDryRun: boolean
  /** The merge that it takes back, if it is an unmerge. */
  readonly unmerge?: MergedPair
}

export type EntryAction = 'create' | 'update' | 'delete'

/** The write by which a repeat after a crash recognises a record, and an undo finds it. */
export const entryOf =
  ({ services, actor, batchId }: BatchRun, model: string, action: EntryAction) =>
  ({ id, version }: StoredRecord) => [
    ownEntry(actor.tenant, batchId, { model, id, version, action, atMs: services.clock.now() }),
  ]

/** Throws NotFound when the row rules of the actor do not permit the action on a record. */
export const permitOf =
  ({ services, actor }: BatchRun, model: string, id: number, action: 'update' | 'delete') =>
  (item: Item | null | undefined): Promise<void> =>
    services.access.require(actor, model, id, action, item)

/** Sets fields of one record, the whole way of a single update. Throws what refuses it. */
export async function setFields(
  run: BatchRun,
  table: Table,
  id: number,
  fields: Readonly<Record<string, unknown>>,
): Promise<RecordOutcome> {
  const { services, actor } = run
  const permit = permitOf(run, table.name, id, 'update')
  if (run.isDryRun) {
    const names = await previewChange(services, actor, table, id, fields, { permit })
    return names.length > 0 ? changed : unchanged
  }
  // Each attempt begins anew: after a conflict there may be nothing left to change.
  let isWritten = false
  const noted = entryOf(run, table.name, 'update')
  await changeRecord(services, actor, table, id, fields, {
    permit: (item) => {
      isWritten = false
      return permit(item)
    },
    writesWith: (after) => {
      isWritten = true
      return noted(after)
    },
  })
  return isWritten ? changed : unchanged
}

/** Runs a macro on one record. Throws what refuses it. */
export async function runOn(run: BatchRun, table: Table, macro: Macro, id: number): Promise<RecordOutcome> {
  const { services, actor, batchId, isDryRun } = run
  const { isChanged } = await runMacro(services, actor, table, macro, id, {
    isDryRun,
    writesWith: (version) => [
      ownEntry(actor.tenant, batchId, {
        model: table.name,
        id,
        version,
        action: 'update',
        atMs: services.clock.now(),
      }),
    ],
  })
  return isChanged ? changed : unchanged
}

/** Deletes one record, the whole way of a single delete. Throws what refuses it. */
export async function removeOne(run: BatchRun, table: Table, id: number): Promise<RecordOutcome> {
  const { services, actor } = run
  const options = {
    permit: permitOf(run, table.name, id, 'delete'),
    mayName: (model: string, field: string): boolean =>
      mayOnTable(actor, model, 'read') &&
      !services.access.isLimited(actor, model, 'read') &&
      (permittedFields(actor, model, 'read')?.has(field) ?? true),
  }
  return goneWith(run, table, { id }, options)
}

/** Deletes a record, or says that it would be, with the processes that end with it, for an actor who may read it. */
export async function goneWith(
  run: BatchRun,
  table: Table,
  { id, model }: BatchRecord,
  { permit, ...options }: Required<Pick<RemoveOptions, 'permit' | 'mayName'>> & RemoveOptions,
): Promise<RecordOutcome> {
  const { services, actor } = run
  let item: Item | null | undefined
  const noted = {
    ...options,
    permit: (current: Item | null | undefined) => {
      item = current
      return permit(current)
    },
  }
  const ids = run.isDryRun
    ? await previewRemoval(services, actor, table, id, noted)
    : await removeRecord(services, actor, table, id, { ...noted, writesWith: entryOf(run, table.name, 'delete') })
  const cancelled = (await processesOf(run, table, item, ids)).map(withoutStart)
  if (cancelled.length === 0) return changed
  return { ...changed, cancelled: cancelled.map((one) => ({ ...one, ...(model !== undefined && { model }) })) }
}

/** The processes among these that the actor may know of, because the record is one to read. */
export async function processesOf(
  { services, actor }: BatchRun,
  { name: model }: Table,
  item: Item | null | undefined,
  ids: readonly number[],
): Promise<StartableProcess[]> {
  if (ids.length === 0 || !mayOnTable(actor, model, 'read')) return []
  const [readable] = await services.access.permitted(actor, model, 'read', [item])
  return readable ? describeCancelled({ ...services, config: services.macros.config }, actor.tenant, ids) : []
}
