import { createHash } from 'node:crypto'
import type { TenantRef } from '../../kernel/tenancy.ts'

/*
 * What the keys of all areas are made of. Every key of the single table is built, and read back, in this folder;
 * docs/data-model.md lists them.
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

/** A key whose partition holds one item. */
export const singleKey = (key: string): Key => ({ pk: key, sk: key })

/** Twelve digits sort as numbers do and hold every id a sequence will reach. */
export const idText = (id: number): string => String(id).padStart(12, '0')
/** The key of the item with an id in a partition of its own kind. */
export const idKey = (pk: string, id: number): Key => ({ pk, sk: idText(id) })
/** The id whose `idText` ends a sort key. */
export const idAtEnd = (sort: string): number => Number(sort.slice(-12))
export const versionText = (version: number): string => String(version).padStart(10, '0')
/** Ids that are made of the time have sixteen digits until the year 2286. */
export const timeIdText = (id: number): string => String(id).padStart(16, '0')

/** SHA-256 in base64url of a text that is too long or too secret for a key. */
export const keyHash = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** The beginning of every key that belongs to a tenant. */
export const tenantPrefix = (tenant: TenantRef): string => `T#${tenant.id}#`
/** Whether a key belongs to the tenant: the store refuses every other. */
export const belongsTo = (key: Key, tenant: TenantRef): boolean =>
  key.pk.startsWith(tenantPrefix(tenant)) || key.pk === `TENANT#${tenant.id}`

/** The shards of what is due: a sweeper reads all of them. They belong to no tenant. */
export const duePartitions = (kind: string): readonly string[] => [0, 1, 2, 3].map((shard) => `DUE#${kind}#${shard}`)
/** Where an item waits in slot 20 until `dueAt`, an ISO time. `number` picks the shard; `what` names the item. */
export const dueKey = (partitions: readonly string[], number: number, dueAt: string, what: string): Key => ({
  pk: partitions[number % partitions.length] as string,
  sk: `${dueAt}#${what}`,
})
/** The moment at which an item in slot 20 is due: every sort key there begins with it. */
export const dueAtOf = (sort: string): string => sort.slice(0, sort.indexOf('#'))
