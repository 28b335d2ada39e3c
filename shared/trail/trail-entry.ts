import type { TenantRef } from '../kernel/tenancy.ts'
import {
  trailOfModelPartition,
  trailOfUserPartition,
  trailPartition,
  type TrailSort,
  trailSort,
} from '../store/keys/history.ts'
import { slotEntry, trailSlots } from '../store/slots.ts'

export const trailActions = ['create', 'update', 'delete', 'login', 'logout', 'impersonate'] as const
export type TrailAction = (typeof trailActions)[number]

/** What the sort key of a trail slot holds. */
export interface TrailSlot extends TrailSort {
  readonly action: TrailAction
}

/** The attributes that put a row into the tenant's trail: by time, by user and by table. */
export function trailEntries(tenant: TenantRef, userId: number, entry: TrailSlot): Record<string, string> {
  const sort = trailSort(entry)
  return {
    ...slotEntry(trailSlots.byTime, trailPartition(tenant), sort),
    ...slotEntry(trailSlots.byUser, trailOfUserPartition(tenant, userId), sort),
    ...slotEntry(trailSlots.byModel, trailOfModelPartition(tenant, entry.model), sort),
  }
}
