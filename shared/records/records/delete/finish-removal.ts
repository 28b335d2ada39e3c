import { discussionKey } from '../../../platform/store/keys/comments.ts'
import { recordKey, tombstoneKey } from '../../../platform/store/keys/records.ts'
import { readAfterDue } from '../../../platform/store/rows/record-row.ts'
import { retain, retainedUntil } from '../../../platform/store/rows/retention-row.ts'
import { tombstoneItem } from '../../../platform/store/rows/tombstone-row.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { and, atVersion, equals, isMarkedDeleted, isNew, lacks } from '../../../platform/store/writes/conditions.ts'
import { TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { pendingAttributes } from '../hooks/pending-hooks.ts'
import type { BeforeDelete, StoredRecord } from '../record-item.ts'
import { pendingHooksDueAt } from '../write/save-record.ts'

/** A record whose delete has begun. */
export interface MarkedRecord extends StoredRecord, BeforeDelete {
  readonly deletedAt: string
  readonly deletedBy: number
  /** The pending hooks as stored: those of the delete, and those still pending from earlier writes. */
  readonly afterDue?: string
}

/**
 * The last step of a delete: replaces the record by its tombstone. The tombstone keeps the record's data while after
 * hooks still need it. Where there are comments or watchers, it says that they are retained, which costs nothing where there
 * are none. Answers the tombstone; undefined when another call finished the delete first.
 */
export async function finishRemoval(
  records: Pick<RecordDependencies, 'store' | 'clock'>,
  actor: Pick<Actor, 'tenant' | 'batchId'>,
  table: Pick<Table, 'name' | 'storedNames'>,
  marked: MarkedRecord,
  isDiscussed = false,
): Promise<Item | undefined> {
  const { store, clock } = records
  const { tenant, batchId } = actor
  const { id, version, afterDue } = marked
  const pending =
    afterDue === undefined ? undefined : pendingAttributes(tenant, table.name, id, afterDue, pendingHooksDueAt(clock))
  const tombstone = tombstoneItem(tenant, table, { ...marked, ...(batchId !== undefined && { batchId }) }, pending)
  const hooks = afterDue === undefined ? lacks('after_due') : equals('after_due', afterDue)
  const condition = and(atVersion(version), isMarkedDeleted, hooks)
  try {
    await store.transact(
      tenant,
      [
        { remove: recordKey(tenant, table.name, id), if: condition },
        { put: tombstone },
        isDiscussed
          ? retain(tenant, table.name, id, { dueAtMs: retainedUntil(marked.deletedAt), writeId: clock.uuid() })
          : { check: discussionKey(tenant, table.name, id), if: isNew },
      ],
      clock.uuid(),
    )
    return tombstone
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error
    const [removal, , discussion] = error.reasons
    // Only while the record is still marked, and not restored meanwhile.
    if (discussion?.failed && !removal?.failed && !isDiscussed)
      return finishRemoval(records, actor, table, marked, true)
    // Not `commit`: the outcome depends on the item that made the condition fail.
    const existing = removal?.existing
    if (!existing && (await store.get(tenant, tombstoneKey(tenant, table.name, id)))) return undefined
    // Hooks of an earlier write have finished meanwhile: they must not become pending again.
    if (existing?.version === version && readAfterDue(existing) !== afterDue) {
      return finishRemoval(records, actor, table, { ...marked, afterDue: readAfterDue(existing) }, isDiscussed)
    }
    throw error
  }
}
