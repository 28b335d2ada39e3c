import { type Clock, isoTime } from '../kernel/clock.ts'
import type { PrincipalRef } from '../kernel/principal.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { trailEventKey } from '../store/keys/history.ts'
import type { Item } from '../store/marshal.ts'
import type { Write } from '../store/table.ts'
import { differingPaths } from './difference.ts'
import { type TrailAction, trailEntries } from './trail-entry.ts'

/** What one field held before and after; null where there was nothing. */
export interface FieldChange {
  readonly old: unknown
  readonly new: unknown
}

/** What happened beside the records: a login, a change of users or of configuration. */
export interface TrailEvent {
  readonly action: TrailAction
  /** `sys_users`, `sys_roles`, `sys_entities`, `sys_relations`, ... */
  readonly model: string
  readonly id: number
  /** What configuration is called: its id alone says little once it is gone. */
  readonly name?: string
  /** The version that the change made; 0 where there is none. */
  readonly version?: number
  readonly changes?: Readonly<Record<string, FieldChange>>
}

/** The row of an event, for the transaction that makes it happen: neither stands without the other. It is kept for good, as history is. */
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

/** What a row of the trail, a history entry or an event, says beside its changes. */
export interface TrailRow {
  readonly action: TrailAction
  readonly model: string
  readonly recordId: number
  readonly version: number
  readonly userId: number
  readonly impersonatorId?: number
  readonly source?: string
  readonly at: string
  /** Of events only: their uuid. */
  readonly event?: string
  readonly name?: string
}

export const readTrailRow = (item: Item): TrailRow => ({
  action: item.action as TrailAction,
  model: String(item.model),
  recordId: Number(item.record_id),
  version: Number(item.version),
  userId: Number(item.user_id),
  ...(item.impersonator_id !== undefined && { impersonatorId: Number(item.impersonator_id) }),
  ...(item.source !== undefined && { source: String(item.source) }),
  at: String(item.at),
  ...(item.event !== undefined && { event: String(item.event) }),
  ...(item.name !== undefined && { name: String(item.name) }),
})

const maxPaths = 200
const maxCharacters = 300

/**
 * What differs between two documents, by path; undefined stands for no document. Long values (scripts, whole lists) are cut:
 * the trail tells what was changed and is no backup of it.
 */
export function documentChanges(before: object | undefined, after: object | undefined): Record<string, FieldChange> {
  const found = differingPaths(before ?? {}, after ?? {})
  const shown = found
    .slice(0, maxPaths)
    .map(({ path, before: old, after: now }) => [path, { old: brief(old), new: brief(now) }] as const)
  const left = found.length - shown.length
  return Object.fromEntries([...shown, ...(left > 0 ? [['…', { old: null, new: `${left} more` }] as const] : [])])
}

function brief(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null'
  return text.length <= maxCharacters ? (value ?? null) : `${text.slice(0, maxCharacters).toWellFormed()}…`
}
