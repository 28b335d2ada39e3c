import { maxRememberedBytes } from '../../../kernel/limits/scripts.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import { hooksDueKey, recordKey, tombstoneKey } from '../../../platform/store/keys/records.ts'
import { dueEntry, dueSlot, dueTaken, moveInSlot, removeSlot } from '../../../platform/store/slots.ts'
import type { Store, Write } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { and, equals, isMarkedDeleted, isUndeleted } from '../../../platform/store/writes/conditions.ts'
import { ConditionFailed, TransactionRefused } from '../../../platform/store/writes/refusals.ts'
import type { RecordData } from '../record-item.ts'

/*
 * The codec of pending hooks: a list in the attribute `after_due` of a record or its tombstone (docs/decisions/0018).
 * Clearing it makes no new version. It is a list, because the next write may come before the hooks of this one have
 * run.
 */

/** One write's after hooks that still have to run. */
export interface PendingHooks {
  readonly kind: 'after_create' | 'after_update' | 'after_delete'
  readonly version: number
  /** When that version was written. */
  readonly updated_at?: string
  /** The same in every attempt, so that scripts can detect a retry. */
  readonly run_id: string
  readonly user_id: number
  readonly impersonator_id?: number
  readonly source?: string
  /** An address that they send nothing to. */
  readonly suppressedRecipient?: string
  /** Addresses to which what they send is an automatic answer. */
  readonly answering?: readonly string[]
  /** Nothing is sent that they ask for. */
  readonly skipsNotifications?: true
  /** The batch that the write belongs to. */
  readonly batch_id?: number
  /** The scripts that led to the write. */
  readonly path?: readonly string[]
  /** The values of the changed fields before an update, by the names under which records store them. */
  readonly old?: RecordData
  /** Who wrote the version before, and when; undefined for a create. */
  readonly before?: { readonly updated_by: number; readonly updated_at: string }
  /** How many times the record cleanup has tried. */
  readonly tries?: number
}

/** The pending hooks of an item; empty when it has none. */
export const readPendingHooks = (item: Item | undefined): readonly PendingHooks[] =>
  item?.after_due === undefined ? [] : readJson<PendingHooks[]>(item, 'after_due')

/** Adds an entry to the stored text of pending hooks. */
export function addPendingHooks(pending: string | undefined, entry: PendingHooks): string {
  const { old, ...rest } = entry
  const small = old === undefined || Buffer.byteLength(JSON.stringify(old)) > maxRememberedBytes ? rest : entry
  return JSON.stringify([...readPendingHooks({ after_due: pending }), small])
}

/**
 * The attributes that store pending hooks on a record or a tombstone, with the slot entry by which the sweeper finds
 * them.
 */
export const pendingAttributes = (
  tenant: TenantRef,
  model: string,
  id: number,
  pending: string | undefined,
  dueAt: string,
): Record<string, string> =>
  pending === undefined
    ? {}
    : {
        after_due: pending,
        ...dueEntry(hooksDueKey(dueAt, tenant, model, id)),
      }

/** Reads the item that holds pending hooks: the record, or the tombstone it left. */
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
 * Removes entries and stores the `intents` of the hooks that ran, in one transaction. Does nothing when another call
 * removed them first. Answers the updated item, unless intents were stored with it.
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

/**
 * The update that replaces an item's pending hooks, on condition that they are unchanged. `pending` undefined removes
 * them, and with them what a tombstone kept for them. With `dueSort` they are due then, and the sweeper has yet to take
 * them.
 */
export function pendingHooksUpdate(
  existing: Item,
  pending: string | undefined,
  dueSort?: string,
): Extract<Write, { update: Key }> {
  const isTombstone = existing.kind === 'tombstone'
  const isDeleted = existing.deleted_at !== undefined
  // While a delete is in flight, slot 20 belongs to the removal.
  const ownsSlot = isTombstone || !isDeleted
  const removed = ['after_due', ...(ownsSlot ? [removeSlot(dueSlot)] : []), ...(isTombstone ? ['#data'] : [])]
  const move = pending !== undefined && dueSort !== undefined && ownsSlot ? moveInSlot(dueSlot, dueSort) : undefined
  return {
    update: keyOfItem(existing),
    change: {
      expression:
        pending === undefined
          ? `REMOVE ${removed.join(', ')}`
          : `SET after_due = :pending${move ? `, ${move.expression} REMOVE ${dueTaken}` : ''}`,
      names: pending === undefined && isTombstone ? { '#data': 'data' } : {},
      values: { ...(pending !== undefined && { ':pending': pending }), ...move?.values },
    },
    if: and(equals('after_due', String(existing.after_due)), isDeleted ? isMarkedDeleted : isUndeleted),
  }
}

/** The item that made the condition fail. Throws every other error again. */
function existingOf(error: unknown): Item | undefined {
  if (error instanceof ConditionFailed) return error.existing
  if (error instanceof TransactionRefused && error.reasons[0]?.failed) return error.reasons[0].existing
  throw error
}
