import { mayOnTable, permittedFields } from '../../kernel/permissions.ts'
import type { Caller } from '../../kernel/principal.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { removeRecord } from './delete/remove-record.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { FetchObject } from './read/point-in-time.ts'
import { answerRecord, type RecordData } from './record-item.ts'
import type { EntityRecord } from './schema.ts'
import { type ChangeOptions, changeRecord } from './write/change-record.ts'
import { createIdempotent } from './write/create-idempotent.ts'
import { createRecord } from './write/create-record.ts'
import { type Restored, restoreRecord } from './write/restore-record.ts'

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
