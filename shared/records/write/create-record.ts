import { fileWrites } from '../../files/service.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { Conflict, Fault, Invalid } from '../../kernel/faults.ts'
import { mayFail } from '../../kernel/log.ts'
import { isNew } from '../../store/conditions.ts'
import { moveCountOf } from '../../store/recount.ts'
import { ConditionFailed, isRefusal } from '../../store/refusals.ts'
import { takeIds } from '../../store/sequence.ts'
import type { Write } from '../../store/table.ts'
import type { Table } from '../../tables/service.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import type { HookedOperation } from '../hooks/hooked-operation.ts'
import { pendingAttributes } from '../hooks/pending-hooks.ts'
import { newerOf, recordItem, type RecordData, type StoredRecord } from '../record-item.ts'
import { changedFields, checkNewFields } from './check-fields.ts'
import { checkReferences, requireReferences } from './check-references.ts'
import { collectErrors } from './collect-errors.ts'
import { pendingHooksDueAt, saveRecord } from './save-record.ts'
import { findTaken, guardWrites } from './unique-guards.ts'

/** A new record that passed validation and its before_create hooks, and waits for an id. */
export interface PreparedRecord {
  readonly data: RecordData
  /** Fields whose references have not been looked up yet. */
  readonly unchecked: readonly string[]
  /** Who chose what these refer to; undefined for a script, which no row rule limits. */
  readonly viewer: Actor | undefined
  readonly operation: HookedOperation
}

/** Creates a record: history, search and processes follow from the change feed. */
export async function createRecord(
  deps: RecordDependencies,
  actor: Actor,
  table: Table,
  body: RecordData,
): Promise<StoredRecord> {
  return storeNewRecord(deps, actor, table, await prepareNewRecord(deps, actor, table, body))
}

/**
 * Validates a new record, runs its before_create hooks, and validates again what they made of it. Stores nothing. Throws
 * Invalid naming every wrong field, or with the text of the hook that refused.
 */
export async function prepareNewRecord(
  deps: RecordDependencies,
  actor: Actor,
  table: Table,
  body: RecordData,
): Promise<PreparedRecord> {
  const data = await collectErrors(deps, actor, table, { body }, () => checkNewFields(table, body))
  const operation = await deps.hooks.begin(actor, table, 'create')
  if (!operation.hasBefore) return { data, unchecked: Object.keys(data), viewer: actor, operation }
  // Validation is whole before a script sees anything; without hooks the look-up waits to go along with the id.
  await collectErrors(deps, actor, table, { body: data }, () =>
    requireReferences(deps, actor.tenant, table, data, Object.keys(data), actor),
  )
  const made = checkNewFields(table, await operation.before({ data }))
  return { data: made, unchecked: changedFields(data, made), viewer: undefined, operation }
}

/**
 * Stores a prepared record and runs its after_create hooks. `id`: one taken (and counted as living) earlier; `beside`:
 * writes that are made with the record or not at all. Throws Invalid when a reference does not exist or a unique value is
 * taken, TransactionRefused when a condition of `beside` does not hold; nothing is stored then.
 */
export async function storeNewRecord(
  deps: RecordDependencies,
  actor: Actor,
  table: Table,
  { data, unchecked, viewer, operation }: PreparedRecord,
  options: { readonly id?: number; readonly extraWrites?: (record: StoredRecord) => readonly Write[] } = {},
): Promise<StoredRecord> {
  const { store, clock } = deps
  const { tenant } = actor
  const [missing, id] = await Promise.all([
    checkReferences(deps, tenant, table, data, unchecked, viewer),
    options.id ?? takeIds(store, tenant, table.name),
  ])
  try {
    if (Object.keys(missing).length > 0)
      throw new Invalid({ ...(await findTaken(store, tenant, table, id, undefined, data)), ...missing })
    const { record, item, guards, claims } = newRecordItem(clock, actor, table, { data, operation }, id)
    await operation.withRunLog(
      saveRecord(store, tenant, item, isNew, guards, [
        ...claims,
        ...operation.intents(),
        ...(options.extraWrites?.(record) ?? []),
      ]),
    )
    return newerOf(record, await operation.after(record, undefined, item))
  } catch (error) {
    const refused = error instanceof Fault || isRefusal(error)
    // Only a refusal is certain: after any other failure the record may stand, and the repair counts it.
    if (refused)
      await mayFail('give back the count of a refused record', () =>
        store.write(tenant, moveCountOf(tenant, table.name, [id], -1)),
      )
    if (error instanceof ConditionFailed)
      throw new Conflict('write_conflict', 'The id of this record was taken. Try again.')
    throw error
  }
}

/** The item of a new record with the mark of its after hooks, the guards of its unique values and the claims on its files. Throws Invalid when it is too large. */
export function newRecordItem(
  clock: Clock,
  actor: Actor,
  table: Table,
  { data, operation }: Pick<PreparedRecord, 'data' | 'operation'>,
  id: number,
) {
  const { tenant } = actor
  const now = isoTime(clock.now())
  const record: StoredRecord = {
    id,
    tenant_id: tenant.id,
    created_by: actor.userId,
    updated_by: actor.userId,
    created_at: now,
    updated_at: now,
    version: 1,
    data,
  }
  const due = pendingAttributes(
    tenant,
    table.name,
    id,
    operation.pendingHooks(record, undefined, undefined),
    pendingHooksDueAt(clock),
  )
  const item = { ...recordItem(table, record, actor, clock.uuid()), ...due }
  return {
    record,
    item,
    guards: guardWrites(tenant, table, id, undefined, data),
    claims: fileWrites(clock, tenant, table, record, undefined, data).writes,
  }
}
