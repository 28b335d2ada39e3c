import { maxTrailCharacters, maxTrailPaths } from '../../kernel/limits/lists.ts'
import type { PrincipalRef } from '../../kernel/principal.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { type Clock, isoTime } from '../../kernel/time/clock.ts'
import { trailEventKey, type TrailPart, trailPartitionOf, type TrailSort, trailSort } from '../store/keys/history.ts'
import { slotEntry, trailSlots } from '../store/slots.ts'
import type { Write } from '../store/store.ts'
import { readJson } from '../store/values/json-attribute.ts'
import type { Item } from '../store/values/marshal.ts'
import { differingPaths } from './difference.ts'

/** The value of a field before and after; null where there was none. */
export interface FieldChange {
  readonly old: unknown
  readonly new: unknown
}

/** An event of accounts or configuration: a login, a change of a user, a table, a role. */
export interface TrailEvent {
  readonly action: TrailAction
  /** `sys_users`, `sys_roles`, `sys_entities`, `sys_relations`, ... */
  readonly model: string
  readonly id: number
  /** The name of what changed: an id says little once the object is gone. */
  readonly name?: string
  /** The version that the change made; 0 where there is none. */
  readonly version?: number
  readonly changes?: Readonly<Record<string, FieldChange>>
}

/** The row of an event, to be written in the transaction it reports (docs/decisions/0021). Kept forever. */
export function trailEvent(
  clock: Pick<Clock, 'now' | 'uuid'>,
  tenant: TenantRef,
  by: PrincipalRef,
  { action, model, id, name, version = 0, changes = {} }: TrailEvent,
): Write {
  const uuid = clock.uuid()
  const at = isoTime(clock.now())
  return {
    put: {
      ...trailEventKey(tenant, uuid),
      ...trailEntries(tenant, by.userId, { at, action, model, recordId: id, version, event: uuid }),
      kind: 'event',
      v: 1,
      event: uuid,
      model,
      record_id: id,
      version,
      action,
      user_id: by.userId,
      impersonator_id: by.impersonatorId,
      at,
      changes: JSON.stringify(changes),
      ...(name !== undefined && { name }),
    },
  }
}

/** That a record was merged into another, or another into it, or that this was taken back; with the id of the other. */
export type MergeChange =
  | { readonly into: number }
  | { readonly from: number }
  | { readonly unmerged_from: number }
  | { readonly unmerged: number }
  /** Comments or messages left for another record, or came from it. */
  | { readonly split_into: number }
  | { readonly split_from: number }

/** A row of the trail, a history entry or an event, without its changes. */
export interface TrailRow {
  readonly action: TrailAction
  readonly model: string
  readonly recordId: number
  readonly version: number
  readonly userId: number
  readonly impersonatorId?: number
  readonly source?: string
  /** The batch that the change belongs to. */
  readonly batchId?: number
  readonly at: string
  readonly merge?: MergeChange
  /** The uuid of an event; history entries have none. */
  readonly event?: string
  readonly name?: string
}

/** Reads a history row or an event row. */
export const readTrailRow = (item: Item): TrailRow => ({
  action: item.action as TrailAction,
  model: String(item.model),
  recordId: Number(item.record_id),
  version: Number(item.version),
  userId: Number(item.user_id),
  ...(item.impersonator_id !== undefined && { impersonatorId: Number(item.impersonator_id) }),
  ...(item.source !== undefined && { source: String(item.source) }),
  ...(item.batch_id !== undefined && { batchId: Number(item.batch_id) }),
  at: String(item.at),
  ...(item.merge !== undefined && { merge: readJson<MergeChange>(item, 'merge') }),
  ...(item.event !== undefined && { event: String(item.event) }),
  ...(item.name !== undefined && { name: String(item.name) }),
})

/**
 * The differences between two documents, by path; undefined stands for no document. Long values (scripts, lists) are
 * cut: the trail says what changed and is not a backup.
 */
export function documentChanges(before: object | undefined, after: object | undefined): Record<string, FieldChange> {
  const found = differingPaths(before ?? {}, after ?? {})
  const shown = found
    .slice(0, maxTrailPaths)
    .map(({ path, before: old, after: now }) => [path, { old: brief(old), new: brief(now) }] as const)
  const left = found.length - shown.length
  return Object.fromEntries([...shown, ...(left > 0 ? [['…', { old: null, new: `${left} more` }] as const] : [])])
}

function brief(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= maxTrailCharacters ? (value ?? null) : `${text.slice(0, maxTrailCharacters).toWellFormed()}…`
}

export const trailActions = ['create', 'update', 'delete', 'login', 'logout', 'impersonate'] as const
type TrailAction = (typeof trailActions)[number]

/** What the sort key of a trail slot holds. */
interface TrailSlot extends TrailSort {
  readonly action: TrailAction
}

/** The attributes that put a row into the tenant's trail: by time, by user and by table. */
export function trailEntries(tenant: TenantRef, userId: number, entry: TrailSlot): Record<string, string> {
  const entryIn = (slot: number, part: TrailPart) =>
    slotEntry(slot, trailPartitionOf(tenant, part, entry.recordId), trailSort(entry))
  return {
    ...entryIn(trailSlots.byTime, 'whole'),
    ...entryIn(trailSlots.byUser, { userId }),
    ...entryIn(trailSlots.byModel, { model: entry.model }),
  }
}
