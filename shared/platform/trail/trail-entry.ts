import type { TenantRef } from '../../kernel/tenancy.ts'
import { type TrailPart, trailPartitionOf, type TrailSort, trailSort } from '../store/keys/history.ts'
import { slotEntry, trailSlots } from '../store/slots.ts'

export const trailActions = ['create', 'update', 'delete', 'login', 'logout', 'impersonate'] as const
export type TrailAction = (typeof trailActions)[number]

/** What the sort key of a trail slot holds. */
export interface TrailSlot extends TrailSort {
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
