import type { TenantRef } from '../../kernel/tenancy.ts'
import { historyPartition } from './history.ts'
import { dueKey, duePartitions, idKey, idText, type Key, keyHash, singleKey, tenantPrefix } from './key.ts'

/** The last id and the number of living records of a table. */
export const sequenceKey = (tenant: TenantRef, model: string): Key => ({ pk: `${tenantPrefix(tenant)}SEQ`, sk: model })

export const recordPartition = (tenant: TenantRef, model: string): string => `${tenantPrefix(tenant)}R#${model}`
export const recordKey = (tenant: TenantRef, model: string, id: number): Key =>
  idKey(recordPartition(tenant, model), id)
/** The tenant, table and id that a record's key names; undefined for any other key. */
export function parseRecordKey(key: Key): { tenant: TenantRef; model: string; id: number } | undefined {
  const match = /^T#(\d+)#R#([a-z][a-z0-9_]*)$/.exec(key.pk)
  return match ? { tenant: { id: Number(match[1]) }, model: match[2] as string, id: Number(key.sk) } : undefined
}

/** The partition of one indexed field in its slot. */
export const slotPartition = (tenant: TenantRef, model: string, field: string): string =>
  `${tenantPrefix(tenant)}${model}#${field}`

/** A unique value is hashed: it may be longer than a key and must not be cut. */
export const uniqueKey = (tenant: TenantRef, model: string, field: string, value: string): Key =>
  singleKey(`${tenantPrefix(tenant)}U#${model}#${field}#${keyHash(value)}`)

/** `route`: method and path as they were called, table included. */
export const idempotencyKey = (tenant: TenantRef, userId: number, route: string, key: string): Key =>
  singleKey(`${tenantPrefix(tenant)}IDEM#${userId}#${route}#${key}`)

export const tombstoneKey = (tenant: TenantRef, model: string, id: number): Key => ({
  pk: historyPartition(tenant, model, id),
  sk: 'TOMBSTONE',
})
/** The record that the key of a record or of its tombstone names. */
export const recordIdOf = ({ pk, sk }: Key): number =>
  Number(sk === 'TOMBSTONE' ? pk.slice(pk.lastIndexOf('#') + 1) : sk)
/** Tombstones of a table, oldest first. */
export const gonePartition = (tenant: TenantRef, model: string): string => `${tenantPrefix(tenant)}GONE#${model}`
export const goneSort = (deletedAt: string, id: number): string => `${deletedAt}#${idText(id)}`

/** Unfinished deletes and removed relations of every tenant. */
export const removalDuePartitions = duePartitions('removal')
export const removalDueKey = (dueAt: string, tenant: TenantRef, model: string, id: number): Key =>
  dueKey(removalDuePartitions, id, dueAt, `${tenant.id}#${model}#${id}`)

/** Records and tombstones whose after hooks did not run; a record whose delete is in flight is in `removalDuePartitions`. */
export const afterDuePartitions = duePartitions('after')
export const afterDueKey = (dueAt: string, tenant: TenantRef, model: string, id: number): Key =>
  dueKey(afterDuePartitions, id, dueAt, `${tenant.id}#${model}#${id}`)
/** The record that a sort key of `removalDuePartitions` or `afterDuePartitions` names; undefined for any other. */
export function parseDueSort(sort: string): { tenant: TenantRef; model: string; id: number } | undefined {
  const match = /#(\d+)#([a-z][a-z0-9_]*)#(\d+)$/.exec(sort)
  return match ? { tenant: { id: Number(match[1]) }, model: match[2] as string, id: Number(match[3]) } : undefined
}
