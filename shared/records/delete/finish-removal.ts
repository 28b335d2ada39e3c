import type { TenantRef } from '../../kernel/tenancy.ts'
import { and, atVersion, equals, isMarkedDeleted, lacks } from '../../store/conditions.ts'
import type { Key } from '../../store/keys/key.ts'
import { gonePartition, goneSort, recordKey, tombstoneKey } from '../../store/keys/records.ts'
import type { Item } from '../../store/marshal.ts'
import { TransactionRefused } from '../../store/refusals.ts'
import { goneSlot, slotEntry } from '../../store/slots.ts'
import type { Table } from '../../tables/service.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { pendingAttributes } from '../hooks/pending-hooks.ts'
import type { StoredRecord } from '../record-item.ts'
import { afterHooksDueAt } from '../write/save-record.ts'

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
  const tombstone = tombstoneItem(tenant, table, marked, afterHooksDueAt(clock))
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
    if (existing?.version === version && existing.after_due !== afterDue) {
      return finishRemoval({ store, clock }, { tenant }, table, {
        ...marked,
        afterDue: existing.after_due as string | undefined,
      })
    }
    throw error
  }
}

const tombstoneItem = (
  tenant: TenantRef,
  table: Pick<Table, 'name'>,
  marked: MarkedRecord,
  dueAt: string,
): Item & Key => ({
  ...tombstoneKey(tenant, table.name, marked.id),
  kind: 'tombstone',
  v: 1,
  version: marked.version,
  created_by: marked.created_by,
  created_at: marked.created_at,
  deleted_at: marked.deletedAt,
  deleted_by: marked.deletedBy,
  ...slotEntry(goneSlot, gonePartition(tenant, table.name), goneSort(marked.deletedAt, marked.id)),
  ...(marked.afterDue !== undefined && {
    tenant_id: tenant.id,
    model: table.name,
    data: JSON.stringify(marked.data),
    ...pendingAttributes(tenant, table.name, marked.id, marked.afterDue, dueAt),
  }),
})
