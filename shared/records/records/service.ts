import { mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { removeRecord } from './delete/remove-record.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { FetchObject } from './read/point-in-time.ts'
import { answerRecord, type RecordData } from './record-item.ts'
import type { EntityRecord } from './schema.ts'
import { changeRecord, type ChangeOptions } from './write/change-record.ts'
import { createIdempotent } from './write/create-idempotent.ts'
import { createRecord } from './write/create-record.ts'
import { restoreRecord, type Restored } from './write/restore-record.ts'

export { findDueCounts } from './count/find-due-counts.ts'
export { repairCount } from './count/repair-count.ts'
export { continueRemoval } from './delete/continue-removal.ts'
export { findGone, type GoneRecord, lookAgain, mendReference } from './delete/look-again.ts'
export { findDueRemovals } from './delete/find-due-removals.ts'
export type {
  CountedDiscussion,
  RecordDependencies,
  RecordDiscussions,
  SendProcessMessage,
  StartProcess,
} from './dependencies.ts'
export type { Actor } from './actor.ts'
export { dryRunScript } from './hooks/dry-run-script.ts'
export { recordEffects } from './effects/record-effects.ts'
export { createRecordForms } from './form/create-record-forms.ts'
export { findDueHooks } from './hooks/find-due-hooks.ts'
export type { HookContext } from './hooks/run-hook.ts'
export type { HookedOperation } from './hooks/hooked-operation.ts'
export { fits, isEmpty, isVisible, requiredMoveFields } from './rules/check-conditions.ts'
export { type FieldRules, openStoredRules } from './rules/open-rules.ts'
export { flatRecord } from './hooks/script-records.ts'
export { listByBody, listByParameters, readFilter } from './read/list-records.ts'
export { listedRecords } from './read/listed-records.ts'
export { createPointInTimeReads } from './read/point-in-time-reads.ts'
export { selectedRecord } from './read/selected-record.ts'
export { searchEverywhere } from './read/search-everywhere.ts'
export { createRecordReads } from './read/record-reads.ts'
export { stateItem } from '../history/service.ts'
export { answerRecord, readLivingRecord, visibleData, type StoredRecord } from './record-item.ts'
export type { EntityRecord } from './schema.ts'
export { createRecordWrites } from './record-writes.ts'
export { describeReturned } from './delete/retention.ts'
export { previewRemoval, type RemoveOptions, removeRecord } from './delete/remove-record.ts'
export { type ChangeOptions, changeRecord, previewChange } from './write/change-record.ts'
export { mergeWrites, splitWrite, unmergeWrites } from './write/merge-writes.ts'
export { withExistingFiles } from './write/existing-files.ts'
export { previewReturn, returnRecord } from './write/return-record.ts'
export { requireSoundValues, withGenerated, withoutDerived } from './write/check-fields.ts'
export { checkNewRecord } from './write/check-new-record.ts'
export { missingReferences } from './write/check-references.ts'
export {
  newRecordItem,
  prepareLegacyRecord,
  prepareNewRecord,
  storeNewRecord,
  type PreparedRecord,
  type RecordOrigin,
} from './write/create-record.ts'
export { legacySource } from './write/tells-watchers.ts'
export { keyedRequest, type AnswerCodec } from './write/keyed-request.ts'
export { writeDerived } from './write/write-derived.ts'
export { noteRestricting } from './write/note-restricting.ts'
export { pointReference } from './write/point-reference.ts'
export { growTree } from './write/tree-writes.ts'
export { idsOfHolder, mergedByValues, readableHolders } from './read/merged-holders.ts'
export { explainTaken, type TakenValues } from './write/taken-values.ts'
export { guardKey, guardWrites, guardedText, takenErrors } from './write/unique-guards.ts'

/** Writes records of every table in the name of callers, as far as their row rules permit. */
export function createRecords(records: RecordDependencies) {
  const { tables, access } = records

  /** Checks the caller's row rules against the record that is about to be written. */
  const permit =
    (caller: Caller, model: string, id: number, action: 'update' | 'delete') => (item: Item | null | undefined) =>
      access.require(caller, model, id, action, item)

  /** Creates a record. `key`: an Idempotency-Key; the same request under the same key creates no second record. */
  async function create(caller: Caller, model: string, body: RecordData, key?: string): Promise<EntityRecord> {
    const table = await tables.require(caller.tenant, model)
    const record =
      key === undefined
        ? await createRecord(records, caller, table, body)
        : await createIdempotent(records, caller, table, body, key)
    return answerRecord(table, record, permittedFields(caller, model, 'read'))
  }

  async function change(
    caller: Caller,
    model: string,
    id: number,
    body: RecordData,
    options?: ChangeOptions,
  ): Promise<EntityRecord> {
    const table = await tables.require(caller.tenant, model)
    const record = await changeRecord(records, caller, table, id, body, {
      ...options,
      permit: permit(caller, model, id, 'update'),
    })
    return answerRecord(table, record, permittedFields(caller, model, 'read'))
  }

  async function remove(caller: Caller, model: string, id: number, options?: ChangeOptions): Promise<void> {
    const mayName = (table: string, field: string): boolean =>
      mayOnTable(caller, table, 'read') &&
      !access.isLimited(caller, table, 'read') &&
      (permittedFields(caller, table, 'read')?.has(field) ?? true)
    await removeRecord(records, caller, await tables.require(caller.tenant, model), id, {
      ...options,
      permit: permit(caller, model, id, 'delete'),
      mayName,
    })
  }

  async function restore(
    caller: Caller,
    model: string,
    id: number,
    at: string,
    fetchObject: FetchObject,
  ): Promise<Restored> {
    return restoreRecord(records, caller, await tables.require(caller.tenant, model), id, at, fetchObject)
  }

  return { create, change, remove, restore }
}
