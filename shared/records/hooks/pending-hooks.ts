import type { TenantRef } from '../../kernel/tenancy.ts'
import { and, equals, isMarkedDeleted, isUndeleted } from '../../store/conditions.ts'
import { readJson } from '../../store/json-attribute.ts'
import { type Key, keyOfItem } from '../../store/keys/key.ts'
import { afterDueKey, recordKey, tombstoneKey } from '../../store/keys/records.ts'
import type { Item } from '../../store/marshal.ts'
import { ConditionFailed, TransactionRefused } from '../../store/refusals.ts'
import { dueEntry, dueSlot, moveInSlot, removeSlot } from '../../store/slots.ts'
import type { Store, Write } from '../../store/table.ts'
import type { RecordData } from '../record-item.ts'

/*
 * A write with after hooks carries a mark, `after_due`, until they ran: put with the record itself, so that no crash comes
 * between, and taken away without a new version. The mark is a list, for the next write may come while hooks of this one
 * still run. It moves with the record into a delete, and at its end to the tombstone, which then keeps the data as well.
 */

/** After hooks of one write that still have to run. */
export interface PendingHooks {
  readonly kind: 'after_create' | 'after_update' | 'after_delete'
  readonly version: number
  /** The same however often they run, so that scripts can tell a repeat. */
  readonly run_id: string
  readonly user_id: number
  readonly impersonator_id?: number
  readonly source?: string
  /** The scripts that led to the write. */
  readonly path?: readonly string[]
  /** What the changed fields held before an update. */
  readonly old?: RecordData
  /** How often the sweeper's work began on it. */
  readonly tries?: number
}

/** An `old` larger than this is left out: the mark must fit beside a record of 350 KB. */
const maxOldBytes = 20 * 1024

/** What the mark of an item says; nothing for an item without one. */
export const readPendingHooks = (item: Item | undefined): readonly PendingHooks[] =>
  item?.after_due === undefined ? [] : readJson<PendingHooks[]>(item, 'after_due')

/** The mark with one more entry. */
export function addPendingHooks(mark: string | undefined, due: PendingHooks): string {
  const { old, ...rest } = due
  const small = old === undefined || Buffer.byteLength(JSON.stringify(old)) > maxOldBytes ? rest : due
  return JSON.stringify([...readPendingHooks({ after_due: mark }), small])
}

/** The mark as attributes of a living record or a tombstone, with the entry that lets the sweeper find it. */
export const pendingAttributes = (
  tenant: TenantRef,
  model: string,
  id: number,
  mark: string | undefined,
  dueAt: string,
): Record<string, string> =>
  mark === undefined
    ? {}
    : {
        after_due: mark,
        ...dueEntry(afterDueKey(dueAt, tenant, model, id)),
      }

/** Where a mark stands: on the record, or on the tombstone it left (which stays when the record is made again). */
export async function readPendingItem(
  store: Pick<Store, 'get'>,
  tenant: TenantRef,
  model: string,
  id: number,
): Promise<Item | undefined> {
  const record = await store.get(tenant, recordKey(tenant, model, id))
  return record?.after_due !== undefined
    ? record
    : ((await store.get(tenant, tombstoneKey(tenant, model, id))) ?? record)
}

/**
 * Takes entries away, together with the `intents` of the hooks that ran; neither happens when somebody else took them.
 * Answers the item as it became, unless intents went along.
 */
export async function clearPendingHooks(
  store: Store,
  target: { readonly tenant: TenantRef; readonly model: string; readonly id: number; readonly item: Item },
  runIds: ReadonlySet<string>,
  intents: readonly Write[],
  token: () => string,
): Promise<Item | undefined> {
  const { tenant, model, id } = target
  let existing: Item | undefined = target.item
  for (;;) {
    const list = readPendingHooks(existing)
    const left = list.filter(({ run_id }) => !runIds.has(run_id))
    if (!existing || left.length === list.length) return undefined
    const write = pendingHooksUpdate(existing, left.length === 0 ? undefined : JSON.stringify(left))
    try {
      if (intents.length === 0) return await store.update(tenant, write)
      await store.transact(tenant, [write, ...intents], token())
      return undefined
    } catch (error) {
      existing = existingOf(error) ?? (await readPendingItem(store, tenant, model, id))
    }
  }
}

/** Changes the mark of an item that still carries the one that was read. Undefined: takes it away, with what it kept alive. */
export function pendingHooksUpdate(
  existing: Item,
  mark: string | undefined,
  dueSort?: string,
): Extract<Write, { update: Key }> {
  const isTombstone = existing.kind === 'tombstone'
  const isDeleted = existing.deleted_at !== undefined
  // While a delete is under way, slot 20 is the removal's.
  const ownsSlot = isTombstone || !isDeleted
  const removed = ['after_due', ...(ownsSlot ? [removeSlot(dueSlot)] : []), ...(isTombstone ? ['#data'] : [])]
  const move = mark !== undefined && dueSort !== undefined && ownsSlot ? moveInSlot(dueSlot, dueSort) : undefined
  return {
    update: keyOfItem(existing),
    change: {
      expression:
        mark === undefined
          ? `REMOVE ${removed.join(', ')}`
          : `SET after_due = :mark${move ? `, ${move.expression}` : ''}`,
      names: mark === undefined && isTombstone ? { '#data': 'data' } : {},
      values: { ...(mark !== undefined && { ':mark': mark }), ...move?.values },
    },
    if: and(equals('after_due', String(existing.after_due)), isDeleted ? isMarkedDeleted : isUndeleted),
  }
}

/** What stood in the way of a write; anything but a failed condition is thrown on. */
function existingOf(error: unknown): Item | undefined {
  if (error instanceof ConditionFailed) return error.existing
  if (error instanceof TransactionRefused && error.reasons[0]?.failed) return error.reasons[0].existing
  throw error
}
