import { Invalid, NotFound } from '../../../kernel/failures/faults.ts'
import { permissionMissing } from '../../../kernel/failures/permission-missing.ts'
import { mayOnTable } from '../../../kernel/permissions.ts'
import type { Caller } from '../../../kernel/principal.ts'
import { instanceKey } from '../../../platform/store/keys/processes.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Tables } from '../../../tables/tables/read-tables.ts'
import type { AdvanceDependencies } from '../dependencies.ts'
import { noRecord, readInstanceHead } from '../rows/instance-row.ts'

/** Decides which records a caller may read. */
export interface Visibility {
  readonly tables: Pick<Tables, 'find'>
  /** The records that exist and that the caller's row rules reach, in the order of `ids`; undefined for the others. */
  readonly findRecords: (caller: Caller, model: string, ids: readonly number[]) => Promise<readonly unknown[]>
}

/** The ids of the records that the caller may read. Administrators also get those of deleted records. */
export async function visibleRecords(
  { tables, findRecords }: Visibility,
  caller: Caller,
  model: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (caller.isAdministrator) return new Set(ids)
  if (!mayOnTable(caller, model, 'read') || !(await tables.find(caller.tenant, model))) return new Set()
  const distinct = [...new Set(ids)].filter((id) => id !== noRecord)
  const found = distinct.length === 0 ? [] : await findRecords(caller, model, distinct)
  // What is about no record is seen by whoever may read the table.
  return new Set([...distinct.filter((_, index) => found[index] !== undefined), noRecord])
}

/** Keeps the rows about records that the caller may read, in their order. */
export async function keepVisible<Row extends { readonly model: string; readonly recordId: number }>(
  visibility: Visibility,
  caller: Caller,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (caller.isAdministrator) return rows
  const models = [...new Set(rows.map(({ model }) => model))]
  const visible = new Map(
    await Promise.all(
      models.map(
        async (model) =>
          [
            model,
            await visibleRecords(
              visibility,
              caller,
              model,
              rows.flatMap((row) => (row.model === model ? [row.recordId] : [])),
            ),
          ] as const,
      ),
    ),
  )
  return rows.filter(({ model, recordId }) => visible.get(model)?.has(recordId))
}

/** What tells whether a caller may update the record that a process is about. */
export type UpdateDependencies = Pick<AdvanceDependencies, 'store' | 'records'>

/**
 * Throws unless the caller may update the record that a process is about, by permission and row rules. About no record, the
 * permission on the table decides. Administrators pass, also when the record is gone.
 */
export async function requireUpdate(
  { store, records }: UpdateDependencies,
  caller: Caller,
  { model, recordId }: { readonly model: string; readonly recordId: number },
): Promise<void> {
  if (caller.isAdministrator) return
  if (recordId !== noRecord) {
    const item = await store.get(caller.tenant, recordKey(caller.tenant, model, recordId))
    return records.access.require(caller, model, recordId, 'update', item)
  }
  // oxlint-disable-next-line boundaries/recordRights -- there is no record to ask about.
  if (!mayOnTable(caller, model, 'update')) throw permissionMissing(model, 'update')
}

/** Reads the row of an instance. Throws NotFound unless the caller may read its record. */
export async function requireInstance(
  services: { readonly store: Pick<Store, 'get'> } & Visibility,
  caller: Caller,
  id: number,
): Promise<Item> {
  const item = await services.store.get(caller.tenant, instanceKey(caller.tenant, id))
  if (!item) throw new NotFound('process_instance', { id })
  const { model, recordId } = readInstanceHead(item)
  if (!(await visibleRecords(services, caller, model, [recordId])).has(recordId))
    throw new NotFound('process_instance', { id })
  return item
}

/** Throws Invalid for a `record_id` without the `model` that it belongs to. */
export function requireModel({ model, record_id }: { readonly model?: string; readonly record_id?: number }): void {
  if (record_id !== undefined && model === undefined)
    throw new Invalid({ model: ['The model field is required when record_id is given.'] })
}
