import { Conflict, Fault, Invalid } from '../../../kernel/failures/faults.ts'
import { mayFail } from '../../../kernel/runtime/log.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { Throttled } from '../../../kernel/throttling/throttled.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import { aboutNewRecord } from '../../../messages/deliveries/rows/about-record.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import type { FirstConversation } from '../../../platform/store/rows/conversation-state.ts'
import {
  beginCreate,
  discountAbandonedCreates,
  endCreate,
  type OpenCreate,
} from '../../../platform/store/sequence/open-creates.ts'
import type { Write } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { ConditionFailed, isRefusal } from '../../../platform/store/writes/refusals.ts'
import { fileWrites } from '../../../tables/files/claims.ts'
import { withComputed } from '../../../tables/formulas/service.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { type HookedOperation, noHooks } from '../hooks/hooked-operation.ts'
import { pendingAttributes } from '../hooks/pending-hooks.ts'
import { newerOf, type RecordData, recordItem, type StoredRecord, touchedRollups } from '../record-item.ts'
import { openRules } from '../rules/open-rules.ts'
import { changedFields, checkNewFields, withGenerated, withoutKept } from './check-fields.ts'
import { checkReferences, requireReferences } from './check-references.ts'
import { collectErrors } from './collect-errors.ts'
import { fieldAccess } from './field-access.ts'
import { requireUndeleted } from './note-restricting.ts'
import { pendingHooksDueAt, saveRecord } from './save-record.ts'
import { explained } from './taken-values.ts'
import { checkTreeDepth, growTree } from './tree-writes.ts'
import { findTaken, guardWrites } from './unique-guards.ts'

/** A new record that passed validation and its before_create hooks, but has no id yet. */
export interface PreparedRecord {
  readonly data: RecordData
  /** Fields whose references still have to be looked up. */
  readonly unchecked: readonly string[]
  /** Who chose these references. Undefined when a script did: row rules do not limit scripts. */
  readonly viewer: Actor | undefined
  readonly operation: HookedOperation
  /** Of legacy data: who made the record, and when. */
  readonly origin?: RecordOrigin
}

/** Who made and changed a record in the system that it comes from, and when. */
export type RecordOrigin = Partial<Pick<StoredRecord, 'created_at' | 'created_by' | 'updated_at' | 'updated_by'>>

/** Creates a record. History, search and processes follow from the change feed. Throws Invalid and Conflict. */
export async function createRecord(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  body: RecordData,
): Promise<StoredRecord> {
  return storeNewRecord(records, actor, table, await prepareNewRecord(records, actor, table, body))
}

/**
 * Validates a new record, runs its before_create hooks, and validates what they changed. Stores nothing. Throws Invalid
 * naming every wrong field, or with the message of the hook that refused.
 */
export async function prepareNewRecord(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  body: RecordData,
): Promise<PreparedRecord> {
  const rules = await openRules(records, actor, table)
  const checked = await collectErrors(records, actor, table, { body }, () =>
    checkNewFields(table, body, rules, fieldAccess(actor, table.name, 'create')),
  )
  const data = await withComputed(table, checked)
  const operation = await records.hooks.begin(actor, table, 'create')
  await checkTreeDepth(records, actor.tenant, table, data)
  if (!operation.hasBefore) return { data, unchecked: Object.keys(data), viewer: actor, operation }
  // Scripts see only data that is validated as a whole. Without hooks, references are read together with the id.
  await collectErrors(records, actor, table, { body: data }, () =>
    requireReferences(records, actor.tenant, table, data, Object.keys(data), actor),
  )
  const hooked = withoutKept(table, data, await operation.before({ data }))
  const made = await withComputed(table, checkNewFields(table, hooked, rules))
  await checkTreeDepth(records, actor.tenant, table, made)
  return { data: made, unchecked: changedFields(data, made), viewer: undefined, operation }
}

/**
 * Prepares a record of legacy data: it is in any state, has the numbers that it had, and no hook runs. Throws Invalid naming
 * every wrong field.
 */
export async function prepareLegacyRecord(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  body: RecordData,
  origin: RecordOrigin,
): Promise<PreparedRecord> {
  const rules = await openRules(records, actor, table)
  const checked = await collectErrors(records, actor, table, { body }, () =>
    checkNewFields(table, body, rules, fieldAccess(actor, table.name, 'create'), { isLegacy: true }),
  )
  const data = await withComputed(table, checked)
  await checkTreeDepth(records, actor.tenant, table, data)
  return { data, unchecked: Object.keys(data), viewer: actor, operation: noHooks, origin }
}

/**
 * Stores a prepared record and runs its after_create hooks. `extraWrites`: writes in the same transaction. Throws Invalid
 * for unknown references and taken unique values, TransactionRefused when a condition of `extraWrites` fails; nothing is
 * stored then.
 */
export async function storeNewRecord(
  records: RecordDependencies,
  actor: Actor,
  table: Table,
  { data, unchecked, viewer, operation }: PreparedRecord,
  options: {
    readonly extraWrites?: (record: StoredRecord) => readonly Write[]
    readonly conversation?: FirstConversation
  } = {},
): Promise<StoredRecord> {
  const { store, clock } = records
  const { tenant } = actor
  const [missing, open] = await Promise.all([
    checkReferences(records, tenant, table, data, unchecked, viewer),
    takeId(records, tenant, table),
  ])
  const { id } = open
  let stored: ReturnType<typeof newRecordItem>
  try {
    if (Object.keys(missing).length > 0)
      throw new Invalid({ ...(await findTaken(store, tenant, table, id, undefined, data)), ...missing })
    stored = newRecordItem(clock, actor, table, { data, operation, conversation: options.conversation }, id)
    const { record, item, guards, claims } = stored
    await requireUndeleted(records, tenant, table, record)
    await operation.withRunLog(
      saveRecord(store, tenant, item, isNew, guards, [
        ...claims,
        ...aboutNewRecord(operation.intents(), table.name, record),
        ...growTree(records, tenant, table, [data]),
        ...(options.extraWrites?.(record) ?? []),
      ]),
    )
    endCreate(store, tenant, table.name, open)
  } catch (error) {
    const isRefused = error instanceof Fault || isRefusal(error)
    // Only a refusal proves that nothing is stored, and after a throttle a look does. After other failures the next
    // sweep corrects the count.
    if (isRefused || error instanceof Throttled)
      await mayFail('give back the count of a refused record', async () => {
        if (!isRefused && (await store.get(tenant, recordKey(tenant, table.name, id)))) return
        await store.write(tenant, discountAbandonedCreates(tenant, table.name, [open]))
      })
    if (error instanceof ConditionFailed)
      throw new Conflict('write_conflict', 'The id of this record was taken. Try again.')
    throw await explained(records, actor, table, data, error)
  }
  return newerOf(table, stored.record, await operation.after(stored.record, undefined, stored.item))
}

async function takeId({ store, clock }: RecordDependencies, tenant: TenantRef, table: Table): Promise<OpenCreate> {
  try {
    return await beginCreate(store, clock, tenant, table)
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new Conflict(
      'write_conflict',
      `The table ${table.name} was changed or removed while the record was being created. Try again.`,
    )
  }
}

/**
 * The item of a new record with its pending hooks, the guards of its unique values and its file claims. Throws Invalid
 * when it is too large.
 */
export function newRecordItem(
  clock: Clock,
  actor: Actor,
  table: Table,
  {
    data: checked,
    operation,
    origin,
    conversation,
  }: Pick<PreparedRecord, 'data' | 'operation' | 'origin'> & { readonly conversation?: FirstConversation | undefined },
  id: number,
) {
  const data = withGenerated(table, id, checked)
  const { tenant } = actor
  const now = isoTime(clock.now())
  const record: StoredRecord = {
    id,
    tenant_id: tenant.id,
    created_by: actor.userId,
    updated_by: actor.userId,
    created_at: now,
    updated_at: now,
    ...origin,
    version: 1,
    data,
    ...(conversation && { conversation: conversation(id, now) }),
  }
  const due = pendingAttributes(
    tenant,
    table.name,
    id,
    operation.pendingHooks(record, undefined, undefined),
    pendingHooksDueAt(clock),
  )
  const item = {
    ...recordItem(table, record, actor, clock.uuid(), origin && now),
    ...touchedRollups(table, data),
    ...due,
  }
  return {
    record,
    item,
    guards: guardWrites(tenant, table, id, undefined, data),
    claims: fileWrites(clock, tenant, table, record, undefined, data).writes,
  }
}
