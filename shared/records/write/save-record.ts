import { isoTime, type Clock } from '../../kernel/clock.ts'
import { Invalid } from '../../kernel/faults.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { and, atVersion, equals, isUndeleted } from '../../store/conditions.ts'
import type { Key } from '../../store/keys/key.ts'
import type { Item } from '../../store/marshal.ts'
import { ConditionFailed, TransactionRefused } from '../../store/refusals.ts'
import type { Condition, Store, Write } from '../../store/table.ts'
import { takenErrors, type GuardWrite } from './unique-guards.ts'

/** When the sweeper looks after hooks that should have run: every function that may still be at it has ended by then. */
export const pendingHooksDueAt = (clock: Pick<Clock, 'now'>, afterMs = 60_000): string => isoTime(clock.now() + afterMs)

/** The record lives at this version; `afterDue`: and nobody has meanwhile run the after hooks it still carried. */
export const unchangedAt = (version: number, afterDue?: string): Condition =>
  afterDue === undefined
    ? and(atVersion(version), isUndeleted)
    : and(atVersion(version), isUndeleted, equals('after_due', afterDue))

/**
 * Writes a record on a condition: one PutItem, or one transaction when the write touches more than the record.
 * Throws ConditionFailed with the record as it stands when somebody was faster, Invalid when a unique value is taken, and
 * TransactionRefused as it is when a condition of `others` did not hold.
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
    // Not `commit`: a refusal of `others` goes before that of the record, and no request makes closures for its writes.
    const [record, ...rest] = error.reasons
    if (rest.slice(guards.length).some(({ failed }) => failed)) throw error
    if (record?.failed) throw new ConditionFailed(record.existing, { cause: error })
    const taken = guards.filter((_, index) => rest[index]?.failed).map(({ field }) => field)
    throw new Invalid(takenErrors(taken))
  }
}
