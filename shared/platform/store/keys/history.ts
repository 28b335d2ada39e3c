import type { TenantRef } from '../../../kernel/tenancy.ts'
import { idText, type Key, shardOf, shardsOf, singleKey, tenantPrefix, versionText } from './key.ts'

export const historyPartition = (tenant: TenantRef, model: string, id: number): string =>
  `${tenantPrefix(tenant)}H#${model}#${id}`
export const historyKey = (tenant: TenantRef, model: string, id: number, version: number): Key => ({
  pk: historyPartition(tenant, model, id),
  sk: versionText(version),
})

/** The trail of a tenant as a whole (slot 15), of a user (slot 16) or of a table (slot 17). */
export type TrailPart = { readonly userId: number } | { readonly model: string } | 'whole'
const trailPart = (tenant: TenantRef, part: TrailPart): string => {
  const whole = `${tenantPrefix(tenant)}TRAIL`
  if (part === 'whole') return whole
  return 'userId' in part ? `${whole}#U#${part.userId}` : `${whole}#M#${part.model}`
}
/** The shards of a part of the trail. */
export const trailPartitions = (tenant: TenantRef, part: TrailPart): readonly string[] =>
  shardsOf(trailPart(tenant, part))
/** The one of `trailPartitions` that holds what happened to a record. */
export const trailPartitionOf = (tenant: TenantRef, part: TrailPart, recordId: number): string =>
  shardOf(trailPart(tenant, part), recordId)

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
