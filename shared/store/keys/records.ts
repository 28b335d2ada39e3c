import type { TenantRef } from '../../kernel/tenancy.ts'
import { historyPartition } from './history.ts'
import { dueKey, duePartitions, idKey, idText, type Key, keyHash, singleKey, tenantPrefix } from './key.ts'

/** The sequence of a table: its last id and its number of living records. */
export const sequenceKey = (tenant: TenantRef, model: string): Key => ({
  pk: `${tenantPrefix(tenant)}SEQ#${model}`,
  sk: model,
})

export const recordPartition = (tenant: TenantRef, model: string): string => `${tenantPrefix(tenant)}R#${model}`
export const recordKey = (tenant: TenantRef, model: string, id: number): Key =>
  idKey(recordPartition(tenant, model), id)
/** Parses the key of a record; undefined for any other key. */
export function parseRecordKey(key: Key): { tenant: TenantRef; model: string; id: number } | undefined {
  const match = /^T#(\d+)#R#([a-z][a-z0-9_]*)$/.exec(key.pk)
  return match ? { tenant: { id: Number(match[1]) }, model: match[2] as string, id: Number(key.sk) } : undefined
}

/** The partition of one indexed field in its slot. */
export const slotPartition = (tenant: TenantRef, model: string, field: string): string =>
  `${tenantPrefix(tenant)}${model}#${field}`

/** The guard of a unique value. The value is hashed: it may be longer than a key and must not be cut. */
export const uniqueKey = (tenant: TenantRef, model: string, field: string, value: string): Key =>
  singleKey(`${tenantPrefix(tenant)}U#${model}#${field}#${keyHash(value)}`)

/** `route`: method and path of the request, with the table's name. */
export const idempotencyKey = (tenant: TenantRef, userId: number, route: string, key: string): Key =>
  singleKey(`${tenantPrefix(tenant)}IDEM#${userId}#${route}#${key}`)

export const tombstoneKey = (tenant: TenantRef, model: string, id: number): Key => ({
  pk: historyPartition(tenant, model, id),
  sk: 'TOMBSTONE',
})
/** The record id in the key of a record or of its tombstone. */
export const recordIdOf = ({ pk, sk }: Key): number =>
  Number(sk === 'TOMBSTONE' ? pk.slice(pk.lastIndexOf('#') + 1) : sk)
/** The tombstones of a table, oldest first (slot 18). */
export const tombstonePartition = (tenant: TenantRef, model: string): string => `${tenantPrefix(tenant)}GONE#${model}`
export const tombstoneSort = (deletedAt: string, id: number): string => `${deletedAt}#${idText(id)}`

/** Unfinished deletes and removed relations of all tenants. */
export const cleanupDuePartitions = duePartitions('removal')
export const cleanupDueKey = (dueAt: string, tenant: TenantRef, model: string, id: number): Key =>
  dueKey(cleanupDuePartitions, id, dueAt, `${tenant.id}#${model}#${id}`)

/**
 * Records and tombstones with pending hooks. A record whose delete is in flight is in `cleanupDuePartitions` instead.
 */
export const hooksDuePartitions = duePartitions('after')
export const hooksDueKey = (dueAt: string, tenant: TenantRef, model: string, id: number): Key =>
  dueKey(hooksDuePartitions, id, dueAt, `${tenant.id}#${model}#${id}`)
/** Parses a sort key of `cleanupDuePartitions` or `hooksDuePartitions`; undefined for any other. */
export function parseDueSort(sort: string): { tenant: TenantRef; model: string; id: number } | undefined {
  const match = /#(\d+)#([a-z][a-z0-9_]*)#(\d+)$/.exec(sort)
  return match ? { tenant: { id: Number(match[1]) }, model: match[2] as string, id: Number(match[3]) } : undefined
}
