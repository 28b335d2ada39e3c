import type { TenantRef } from '../kernel/tenancy.ts'
import {
  idText,
  trailOfModelPartition,
  trailOfUserPartition,
  trailPartition,
  versionText,
} from '../store/keys/records.ts'
import { slotEntry, trailSlots } from '../store/slots.ts'

export const trailActions = ['create', 'update', 'delete', 'login', 'logout', 'impersonate'] as const
export type TrailAction = (typeof trailActions)[number]

/** What the trail tells of a row without reading it. */
export interface TrailSlot {
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly action: TrailAction
  readonly model: string
  readonly recordId: number
  readonly version: number
  /** Tells events apart, of which several may have the same version at the same moment. */
  readonly event?: string
}

/** The attributes that put a row into the tenant's trail: by time, by user, by table. The keys alone answer every filter. */
export function trailEntries(tenant: TenantRef, userId: number, place: TrailSlot): Record<string, string> {
  const sort = trailSort(place)
  return {
    ...slotEntry(trailSlots.byTime, trailPartition(tenant), sort),
    ...slotEntry(trailSlots.byUser, trailOfUserPartition(tenant, userId), sort),
    ...slotEntry(trailSlots.byModel, trailOfModelPartition(tenant, place.model), sort),
  }
}

const trailSort = ({ at, action, model, recordId, version, event }: TrailSlot): string =>
  [at, action, model, idText(recordId), versionText(version), ...(event === undefined ? [] : [event])].join('#')

export function readTrailSort(sort: string): TrailSlot {
  const [at = '', action, model = '', recordId, version] = sort.split('#')
  return { at, action: action as TrailAction, model, recordId: Number(recordId), version: Number(version) }
}
