import { Invalid } from '../../../kernel/failures/faults.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../../kernel/time/clock.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import type { Condition, Store, Write } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { and, atVersion, equals, isUndeleted } from '../../../platform/store/writes/conditions.ts'
import { ConditionFailed, TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import { typeOfField } from '../../../tables/field-types/read-field.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import { type GuardWrite, takenErrors } from './unique-guards.ts'

/** When pending hooks are overdue: every function that may still run them has ended by then. */
export const pendingHooksDueAt = (clock: Pick<Clock, 'now'>, afterMs = 60_000): string => isoTime(clock.now() + afterMs)

/** The record exists at this version, and its pending hooks are still `afterDue`. */
export const unchangedAt = (version: number, afterDue?: string): Condition =>
  afterDue === undefined
    ? and(atVersion(version), isUndeleted)
    : and(atVersion(version), isUndeleted, equals('after_due', afterDue))

/**
 * Writes a record on a condition: one PutItem, or a transaction when there are other writes. Throws ConditionFailed
 * with the current item on a write conflict, Invalid when a unique value is taken, and TransactionRefused when a
 * condition of `others` fails.
 */
export async function saveRecord(
  store: Store,
  tenant: TenantRef,
  item: Item & Key,
  condition: Condition,
  guards: readonly GuardWrite[],
  others: readonly Write[] = [],
): Promise<void> {
  const put = { put: item, if: condition }
  if (guards.length === 0 && others.length === 0) return store.write(tenant, put)
  try {
    await store.transact(tenant, [put, ...guards.map(({ write }) => write), ...others], String(item.write_id))
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error
    // Not `commit`: a refusal of `others` is reported before the record's own, and no closures are made per request
    // (docs/decisions/0027).
    const [record, ...rest] = error.reasons
    if (rest.slice(guards.length).some(({ failed }) => failed)) throw error
    if (record?.failed) throw new ConditionFailed(record.existing, { cause: error })
    const taken = guards.filter((_, index) => rest[index]?.failed).map(({ field }) => field)
    throw new Invalid(takenErrors(taken))
  }
}

/** The source of what an import of legacy data wrote. */
export const legacySource = 'legacy_import'

/**
 * Whether the people who watch a record are notified of a change: of one of its states, or of a user in its fields. Imports
 * tell nobody: they write thousands of records at once.
 */
export const tellsWatchers = (
  { source }: Pick<Actor, 'source'>,
  { fieldsByName }: Pick<Table, 'fieldsByName'>,
  changed: readonly string[],
): boolean =>
  source !== 'import' &&
  source !== legacySource &&
  changed.some((name) => {
    const field = fieldsByName.get(name)
    return field && typeOfField(field).isWatched
  })
