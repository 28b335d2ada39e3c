import { and, atVersion, equals, isMarkedDeleted, lacks } from '../../store/conditions.ts'
import { recordKey, tombstoneKey } from '../../store/keys/records.ts'
import type { Item } from '../../store/marshal.ts'
import { TransactionRefused } from '../../store/refusals.ts'
import { readAfterDue } from '../../store/rows/record-row.ts'
import { tombstoneItem } from '../../store/rows/tombstone-row.ts'
import type { Table } from '../../tables/service.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { pendingAttributes } from '../hooks/pending-hooks.ts'
import type { StoredRecord } from '../record-item.ts'
import { pendingHooksDueAt } from '../write/save-record.ts'

/** A record whose delete has begun. */
export interface MarkedRecord extends StoredRecord {
  readonly deletedAt: string
  readonly deletedBy: number
  /** The after hooks that still have to run: the delete's own, and what it found. */
  readonly afterDue?: string
}

/**
 * The last step: the record goes, a tombstone keeps its last version, and its data while after hooks still need it. Answers
 * the tombstone; undefined when somebody else was first.
 */
export async function finishRemoval(
  { store, clock }: Pick<RecordDependencies, 'store' | 'clock'>,
  { tenant }: Pick<Actor, 'tenant'>,
  table: Pick<Table, 'name'>,
  marked: MarkedRecord,
): Promise<Item | undefined> {
  const { id, version, afterDue } = marked
  const pending =
    afterDue === undefined ? undefined : pendingAttributes(tenant, table.name, id, afterDue, pendingHooksDueAt(clock))
  const tombstone = tombstoneItem(tenant, table.name, marked, pending)
  const hooks = afterDue === undefined ? lacks('after_due') : equals('after_due', afterDue)
  const condition = and(atVersion(version), isMarkedDeleted, hooks)
  try {
    await store.transact(
      tenant,
      [{ remove: recordKey(tenant, table.name, id), if: condition }, { put: tombstone }],
      clock.uuid(),
    )
    return tombstone
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error
    // Not `commit`: the record that exists decides between an end, another try and a failure.
    const existing = error.reasons[0]?.existing
    if (!existing && (await store.get(tenant, tombstoneKey(tenant, table.name, id)))) return undefined
    // Hooks of an earlier write ended meanwhile: their mark must not come back.
    if (existing?.version === version && readAfterDue(existing) !== afterDue) {
      return finishRemoval({ store, clock }, { tenant }, table, { ...marked, afterDue: readAfterDue(existing) })
    }
    throw error
  }
}
