import type { TenantRef } from '../../../kernel/tenancy.ts'
import { historyPartition } from './history.ts'
import { bucketKey, dueKey, duePartitions, type Key, keyHash, singleKey, tenantPrefix } from './key.ts'

/** The sequence of a table: its last id and its number of living records. */
export const sequenceKey = (tenant: TenantRef, model: string): Key => ({
  pk: `${tenantPrefix(tenant)}SEQ#${model}`,
  sk: model,
})

const recordPartitions = (tenant: TenantRef, model: string): string => `${tenantPrefix(tenant)}R#${model}`
/** The records of one bucket of a table, by id. */
export const recordPartition = (tenant: TenantRef, model: string, bucket: number): string =>
  `${recordPartitions(tenant, model)}#${bucket}`
export const recordKey = (tenant: TenantRef, model: string, id: number): Key =>
  bucketKey(recordPartitions(tenant, model), id)

/** The guard of a unique value. The value is hashed: it may be longer than a key and must not be cut. */
export const uniqueKey = (tenant: TenantRef, model: string, field: string, value: string): Key =>
  singleKey(`${tenantPrefix(tenant)}U#${model}#${field}#${keyHash(value)}`)

/** When a field with `on_delete: restrict` was last pointed at a record, or that the record is deleted. */
export const referenceGuardKey = (tenant: TenantRef, model: string, id: number): Key =>
  singleKey(`${tenantPrefix(tenant)}REFERRED#${model}#${id}`)

/** The revision of the tree of organisational units. */
export const orgTreeKey = (tenant: TenantRef): Key => singleKey(`${tenantPrefix(tenant)}ORGTREE`)

/** `route`: method and path of the request, with the table's name. */
export const idempotencyKey = (tenant: TenantRef, userId: number, route: string, key: string): Key =>
  singleKey(`${tenantPrefix(tenant)}IDEM#${userId}#${route}#${key}`)

export const tombstoneKey = (tenant: TenantRef, model: string, id: number): Key => ({
  pk: historyPartition(tenant, model, id),
  sk: 'TOMBSTONE',
})
/** What is retained of a deleted record for its return. */
export const retentionPartition = (tenant: TenantRef, model: string, id: number): string =>
  `${tenantPrefix(tenant)}RETAINED#${model}#${id}`
/** The row that says until when. */
export const retentionKey = (tenant: TenantRef, model: string, id: number): Key => ({
  pk: retentionPartition(tenant, model, id),
  sk: 'RECORD',
})
/** The record id in the key of a record or of its tombstone. */
export const recordIdOf = ({ pk, sk }: Key): number =>
  Number(sk === 'TOMBSTONE' ? pk.slice(pk.lastIndexOf('#') + 1) : sk)

/** Unfinished deletes, what is retained of deleted records, and removed relations of all tenants. */
export const cleanupDuePartitions = duePartitions('removal')
export const cleanupDueKey = (dueAt: string, tenant: TenantRef, model: string, id: number): Key =>
  dueKey(cleanupDuePartitions, id, dueAt, `${tenant.id}#${model}#${id}`)

/**
 * Records and tombstones with pending hooks. A record whose delete is in flight is in `cleanupDuePartitions` instead.
 */
export const hooksDuePartitions = duePartitions('after')
export const hooksDueKey = (dueAt: string, tenant: TenantRef, model: string, id: number): Key =>
  dueKey(hooksDuePartitions, id, dueAt, `${tenant.id}#${model}#${id}`)
/** Sequences with marks of creates. */
export const countDuePartitions = duePartitions('count')
export const countDueKey = (dueAt: string, tenant: TenantRef, model: string): Key =>
  dueKey(countDuePartitions, tenant.id, dueAt, `${tenant.id}#${model}`)
/** Parses a sort key of `countDuePartitions`; undefined for any other. */
export function parseCountDue(sort: string): { tenant: TenantRef; model: string } | undefined {
  const match = /#(\d+)#([a-z][a-z0-9_~]*)$/.exec(sort)
  return match ? { tenant: { id: Number(match[1]) }, model: match[2] as string } : undefined
}

/** Parses a sort key of `cleanupDuePartitions` or `hooksDuePartitions`; undefined for any other. */
export function parseDueSort(sort: string): { tenant: TenantRef; model: string; id: number } | undefined {
  const match = /#(\d+)#([a-z][a-z0-9_~]*)#(\d+)$/.exec(sort)
  return match ? { tenant: { id: Number(match[1]) }, model: match[2] as string, id: Number(match[3]) } : undefined
}
