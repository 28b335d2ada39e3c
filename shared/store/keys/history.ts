import type { TenantRef } from '../../kernel/tenancy.ts'
import { idText, type Key, singleKey, tenantPrefix, versionText } from './key.ts'

export const historyPartition = (tenant: TenantRef, model: string, id: number): string =>
  `${tenantPrefix(tenant)}H#${model}#${id}`
export const historyKey = (tenant: TenantRef, model: string, id: number, version: number): Key => ({
  pk: historyPartition(tenant, model, id),
  sk: versionText(version),
})

/** The trail of a tenant by time (slot 15), by user (slot 16) and by table (slot 17). */
export const trailPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}TRAIL`
export const trailOfUserPartition = (tenant: TenantRef, userId: number): string =>
  `${trailPartition(tenant)}#U#${userId}`
export const trailOfModelPartition = (tenant: TenantRef, model: string): string =>
  `${trailPartition(tenant)}#M#${model}`

/** The parts of a trail row's sort key. */
export interface TrailSort {
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly action: string
  readonly model: string
  readonly recordId: number
  readonly version: number
  /** Distinguishes events: several may have the same version and time. */
  readonly event?: string
}
export const trailSort = ({ at, action, model, recordId, version, event }: TrailSort): string =>
  [at, action, model, idText(recordId), versionText(version), ...(event === undefined ? [] : [event])].join('#')
/** Parses a `trailSort`, without its event. */
export function parseTrailSort(sort: string): Omit<TrailSort, 'event'> {
  const [at = '', action = '', model = '', recordId, version] = sort.split('#')
  return { at, action, model, recordId: Number(recordId), version: Number(version) }
}

/** An event of accounts or configuration, which is read through the trail. */
export const trailEventKey = (tenant: TenantRef, uuid: string): Key => singleKey(`${tenantPrefix(tenant)}EV#${uuid}`)
