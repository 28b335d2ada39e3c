/**
 * Encodes keys as text that sorts as DynamoDB sorts. The scheme is dynalite's, whose query action computes bounds in
 * it: `<hash of the partition key>/<partition key>/<sort key>/`, strings and binaries in hex.
 */
import { hash } from 'node:crypto'
import { db } from '../dynalite.ts'
import type { Index, KeyAttribute, Table } from '../tables/table.ts'
import type { Item, KeyType } from './attribute-value.ts'

/** A cache: hashing is the most expensive part of a key, and writes repeat the same few partitions. */
const partitions = new Map<string, string>()
const partitionsKept = 10_000

/** The key of an item (or of a key alone) within its table. */
export function itemKey(table: Table, item: Item): string {
  return encodeKey(table.keys, item)
}

/**
 * The key of an item's entry in an index, made unique by a digest of the item's own key. The digest has 128 bits:
 * with dynalite's 24 bits, entries collide among a few thousand equal index keys.
 */
export function indexKey(index: Index, item: Item, ownDigest: string): string {
  return encodeKey(index.keys, item) + ownDigest
}

export function digestOf(ownKey: string): string {
  return hash('sha256', ownKey).slice(0, 32)
}

function encodeKey(keys: KeyAttribute[], item: Item): string {
  const [partition, sort] = keys as [KeyAttribute, KeyAttribute?]
  const start = encodePartition(item[partition.name]![partition.type]!, partition.type)
  return sort ? `${start}${db.toRangeStr(item[sort.name]![sort.type]!, sort.type)}/` : start
}

function encodePartition(value: string, type: KeyType): string {
  const known = partitions.get(type + value)
  if (known !== undefined) return known
  const encoded = `${db.hashPrefix(value, type)}/${db.toRangeStr(value, type)}/`
  if (partitions.size >= partitionsKept) partitions.clear()
  partitions.set(type + value, encoded)
  return encoded
}
