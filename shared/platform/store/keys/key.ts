import { createHash } from 'node:crypto'
import type { TenantRef } from '../../../kernel/tenancy.ts'

/*
 * Building blocks of keys. Every key of the single table is built and parsed in this folder; docs/data-model.md lists
 * them.
 */

/** Partition key and sort key of an item. */
export interface Key {
  readonly pk: string
  readonly sk: string
}

/** The key of a stored item. */
export const keyOfItem = ({ pk, sk }: { readonly pk?: unknown; readonly sk?: unknown }): Key => ({
  pk: String(pk),
  sk: String(sk),
})

/** The key of an item that is alone in its partition. */
export const singleKey = (key: string): Key => ({ pk: key, sk: key })

/** Twelve digits: text order is number order, and no sequence will reach more. */
export const idText = (id: number): string => String(id).padStart(12, '0')
/** The key of an item by id, in a partition of one kind of items. */
export const idKey = (pk: string, id: number): Key => ({ pk, sk: idText(id) })
/** The id at the end of a sort key. */
export const idAtEnd = (sort: string): number => Number(sort.slice(-12))
export const versionText = (version: number): string => String(version).padStart(10, '0')
/** Ids made from the time have at most sixteen digits until the year 2286. */
export const timeIdText = (id: number): string => String(id).padStart(16, '0')

/** SHA-256 in base64url, for text that is too long or too secret for a key. */
export const keyHash = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The prefix of every key of a tenant. */
export const tenantPrefix = (tenant: TenantRef): string => `T#${tenant.id}#`
/** Whether a key belongs to the tenant; the store refuses every other key. */
export const belongsTo = (key: Key, tenant: TenantRef): boolean =>
  key.pk.startsWith(tenantPrefix(tenant)) || key.pk === `TENANT#${tenant.id}`

/** How many partitions share the writes of what would otherwise be one. */
export const shardCount = 4
/** The partitions among which the items of `partition` are spread. */
export const shardsOf = (partition: string): readonly string[] =>
  Array.from({ length: shardCount }, (_, shard) => `${partition}#${shard}`)
/** The one of `shardsOf` that holds an item, by its id. */
export const shardOf = (partition: string, id: number): string => `${partition}#${id % shardCount}`

/** How many consecutive ids share a partition of the table. */
export const bucketIds = 64
export const bucketOf = (id: number): number => Math.floor(id / bucketIds)
/** The key of an item by id, among items that are spread over one partition per bucket of ids. */
export const bucketKey = (partition: string, id: number): Key => idKey(`${partition}#${bucketOf(id)}`, id)

/** The shards of one kind of due items. They belong to no tenant; a sweeper reads all of them. */
export const duePartitions = (kind: string): readonly string[] => [0, 1, 2, 3].map((shard) => `DUE#${kind}#${shard}`)
/** The key of an item in slot 20. `dueAt` is an ISO time, `number` picks the shard, `what` identifies the item. */
export const dueKey = (partitions: readonly string[], number: number, dueAt: string, what: string): Key => ({
  pk: partitions[number % partitions.length] as string,
  sk: `${dueAt}#${what}`,
})
/** The due time (ISO) at the start of a sort key in slot 20. */
export const dueAtOf = (sort: string): string => sort.slice(0, sort.indexOf('#'))
