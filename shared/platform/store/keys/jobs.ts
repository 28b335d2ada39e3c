import type { TenantRef } from '../../../kernel/tenancy.ts'
import { dueKey, duePartitions, idKey, type Key, singleKey, tenantPrefix } from './key.ts'

/** The progress of an import without an idempotency key. */
export const importKey = (tenant: TenantRef, uuid: string): Key => singleKey(`${tenantPrefix(tenant)}IMPORT#${uuid}`)
/** Names the export of the whole tenant that runs, or ran last. */
export const tenantExportKey = (tenant: TenantRef): Key => singleKey(`${tenantPrefix(tenant)}EXPORT`)
/** The checkpoint of a tenant's nightly repair. */
export const repairKey = (tenant: TenantRef): Key => singleKey(`${tenantPrefix(tenant)}REPAIR`)

export const jobPartition = (tenant: TenantRef): string => `${tenantPrefix(tenant)}JOBS`
export const jobKey = (tenant: TenantRef, id: number): Key => idKey(jobPartition(tenant), id)

/** The jobs of one status, by id, in their slot. */
export const jobsOfStatusPartition = (tenant: TenantRef, status: string): string =>
  `${jobPartition(tenant)}#S#${status}`

/** Unfinished jobs of all tenants, by the time at which the sweeper wakes them. `fairGroup`: whose turns they take. */
export const jobDuePartitions = duePartitions('job')
export const jobDueKey = (dueAt: string, fairGroup: string, tenant: TenantRef, id: number): Key =>
  dueKey(jobDuePartitions, id, dueAt, `${fairGroup}#${tenant.id}#${id}`)
/** The group in such a sort key. One without a group begins with its tenant, whose group has the same name. */
export const fairGroupOfDueJob = (sort: string): string => sort.split('#')[1] as string

/** Parses the key of a job; undefined for any other key. */
export function parseJobKey(key: Key): { tenant: TenantRef; id: number } | undefined {
  const match = /^T#(\d+)#JOBS$/.exec(key.pk)
  return match ? { tenant: { id: Number(match[1]) }, id: Number(key.sk) } : undefined
}
