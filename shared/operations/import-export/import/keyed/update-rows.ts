import { Conflict, NotFound } from '../../../../kernel/failures/faults.ts'
import { batchEntryKey } from '../../../../platform/store/keys/batches.ts'
import { ownEntry, sideEntry } from '../../../../platform/store/rows/batch-entry-row.ts'
import { readRecordData } from '../../../../platform/store/rows/record-row.ts'
import type { Item } from '../../../../platform/store/values/marshal.ts'
import { isRefusal } from '../../../../platform/store/writes/refusals.ts'
import type { Actor } from '../../../../records/records/actor.ts'
import type { RecordDependencies } from '../../../../records/records/dependencies.ts'
import { changeRecord, previewChange } from '../../../../records/records/write/change-record.ts'
import { guardedText } from '../../../../records/records/write/unique-guards.ts'
import { typeOfField } from '../../../../tables/field-types/read-field.ts'
import type { Table } from '../../../../tables/tables/table.ts'
import type { RowFailure } from '../../schema.ts'
import { type CheckedRow, failureOf, withErrors, type WrittenRow } from '../outcomes/row-outcome.ts'
import { notFound } from './find-by-key.ts'
import type { ImportPlan } from './import-plan.ts'

/** Records that are updated at once. */
const parallelRecords = 8

type Outcome =
  | { readonly row: number; readonly written: WrittenRow }
  | { readonly row: number; readonly failure: RowFailure }

/**
 * Updates the records that checked rows name, each the whole way of a single update, with the fields of its row. An entry of
 * the import's batch goes with each write: by it a repeat after a crash knows what was done, and an undo finds it. Rows
 * that create pass as they are. `isDryRun`: nothing is written. `mayRepeat`: an earlier attempt may have done some of them.
 */
export async function updateRows(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  plan: ImportPlan,
  checked: readonly CheckedRow[],
  { isDryRun = false, mayRepeat = false } = {},
): Promise<CheckedRow[]> {
  const { store, clock, access } = records
  const { tenant, batchId } = actor
  const key = plan.key?.name ?? 'id'
  const after = [...checked]
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < checked.length; index = next++) {
      const one = checked[index] as CheckedRow
      if ('target' in one) after[index] = await updateOne(one)
    }
  }
  await Promise.all(Array.from({ length: parallelRecords }, worker))
  return isDryRun ? after : markDone(after)

  async function updateOne({
    row,
    target,
    body,
    unnamed = {},
  }: Extract<CheckedRow, { target: unknown }>): Promise<Outcome> {
    const { id, item, merged } = target
    // The record has its key: another spelling of it is no change.
    const { [key]: _key, ...given } = body
    const fields = merged ? withoutHeld(table, given, merged) : given
    const permit = (current: typeof item | null | undefined): Promise<void> =>
      access.require(actor, table.name, id, 'update', current)
    try {
      if (isDryRun) {
        const names = await previewChange(records, actor, table, id, fields, {
          permit,
          ...(plan.isLegacy && { restores: true, withoutHooks: true }),
        })
        return done(row, id, names.length > 0)
      }
      let isWritten = false
      await changeRecord(records, actor, table, id, fields, {
        preloaded: item,
        permit: (current) => {
          isWritten = false
          return permit(current)
        },
        ...(plan.isLegacy && { restores: true, withoutHooks: true, withoutConditions: true }),
        writesWith: ({ version }) => {
          isWritten = true
          return batchId === undefined
            ? []
            : [
                // Another row of the import may be about what it was merged into.
                (merged ? sideEntry : ownEntry)(tenant, batchId, {
                  model: table.name,
                  id,
                  version,
                  action: 'update',
                  atMs: clock.now(),
                }),
              ]
        },
      })
      return done(row, id, isWritten)
    } catch (error) {
      if (isRefusal(error)) {
        if (await wasDone(id)) return done(row, id, true)
        return {
          row,
          failure: failureOf(
            row,
            new Conflict('write_conflict', 'The record was changed at the same time. Try again.'),
          ),
        }
      }
      if (error instanceof NotFound) return { row, failure: notFound(row, key) }
      return { row, failure: withErrors(failureOf(row, error), unnamed) }
    }
  }

  /** What an earlier attempt changed, and this one finds as it should be, counts as changed. */
  async function markDone(rows: readonly CheckedRow[]): Promise<CheckedRow[]> {
    const same = rows.flatMap((one) => ('written' in one && one.written.as === 'unchanged' ? [one.written.id] : []))
    if (batchId === undefined || same.length === 0 || !mayRepeat) return [...rows]
    const entries = await store.getMany(tenant, same.map(entryKey), ['pk', 'sk'])
    const changed = new Set(same.filter((_, index) => entries[index]))
    return rows.map((one) =>
      'written' in one && changed.has(one.written.id) ? { ...one, written: { ...one.written, as: 'updated' } } : one,
    )
  }

  function entryKey(id: number) {
    return batchEntryKey(tenant, batchId as number, { model: table.name, id, action: 'update' })
  }

  async function wasDone(id: number): Promise<boolean> {
    return batchId !== undefined && (await store.get(tenant, entryKey(id))) !== undefined
  }
}

/** The fields of a row without the unique values and numbers that stay with a merged record. */
function withoutHeld(table: Table, fields: Readonly<Record<string, unknown>>, merged: Item): Record<string, unknown> {
  const held = new Map(Object.entries(readRecordData(merged, table)))
  const isHeld = (name: string, value: unknown): boolean => {
    const field = table.fieldsByName.get(name)
    const stays = field && (table.uniqueFields.includes(name) || typeOfField(field).generate)
    return Boolean(stays) && guardedText(table, name, held.get(name)) === guardedText(table, name, value)
  }
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isHeld(name, value)))
}

const done = (row: number, id: number, isChanged: boolean): Outcome => ({
  row,
  written: { row, id, as: isChanged ? 'updated' : 'unchanged' },
})
