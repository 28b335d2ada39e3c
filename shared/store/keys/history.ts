import type { TenantRef } from '../../kernel/tenancy.ts'
import { idText, type Key, singleKey, tenantPrefix, versionText } from './key.ts'

export const historyPartition = (tenant: TenantRef, model: string, id: number): string =>
  `${tenantPrefix(tenant)}H#${model}#${id}`
export const historyKey = (tenant: TenantRef, model: string, id: number, version: number): Key => ({
  pk: historyPartition(tenant, model, id),
  sk: versionText(version),
})

/** Everything that happened in a tenant, in time order (slot 15), of one user (slot 16), in one table (slot 17). */
export const trailPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}TRAIL`
export const trailOfUserPartition = (tenant: TenantRef, userId: number): string =>
  `${trailPartition(tenant)}#U#${userId}`
export const trailOfModelPartition = (tenant: TenantRef, model: string): string =>
  `${trailPartition(tenant)}#M#${model}`

/** A row of the trail as its sort key describes it. */
export interface TrailSort {
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly action: string
  readonly model: string
  readonly recordId: number
  readonly version: number
  /** Tells events apart, of which several may have the same version at the same moment. */
  readonly event?: string
}
export const trailSort = ({ at, action, model, recordId, version, event }: TrailSort): string =>
  [at, action, model, idText(recordId), versionText(version), ...(event === undefined ? [] : [event])].join('#')
/** What `trailSort` made, without the event. */
export function parseTrailSort(sort: string): Omit<TrailSort, 'event'> {
  const [at = '', action = '', model = '', recordId, version] = sort.split('#')
  return { at, action, model, recordId: Number(recordId), version: Number(version) }
}

/** Something that happened beside the records; found through the trail. */
export const trailEventKey = (tenant: TenantRef, uuid: string): Key => singleKey(`${tenantPrefix(tenant)}EV#${uuid}`)
