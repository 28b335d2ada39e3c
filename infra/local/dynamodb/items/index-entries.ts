import type { Op } from '../../runtime/storage/storage.ts'
import type { Index, Table } from '../tables/table.ts'
import type { Item } from './attribute-value.ts'
import { digestOf, indexKey } from './key-encoding.ts'

/** The index operations for a change of one item. Indexes it is not in, and entries that stay equal, need none. */
export function indexOps(table: Table, key: string, before: Item | undefined, after: Item | undefined): Op[] {
  const ops: Op[] = []
  let digest: string | undefined
  for (const index of table.indexes) {
    const wasIn = before !== undefined && belongsTo(index, before)
    const isIn = after !== undefined && belongsTo(index, after)
    if (!wasIn && !isIn) continue
    digest ??= digestOf(key)
    const keyBefore = wasIn ? indexKey(index, before, digest) : undefined
    const keyAfter = isIn ? indexKey(index, after, digest) : undefined
    if (keyBefore !== undefined && keyBefore !== keyAfter) ops.push({ type: 'del', key: index.prefix + keyBefore })
    if (keyAfter === undefined || (keyBefore === keyAfter && index.holdsOnlyKeys)) continue
    const entry = JSON.stringify(projectItem(index, after!))
    if (keyBefore === keyAfter && entry === JSON.stringify(projectItem(index, before!))) continue
    ops.push({ type: 'put', key: index.prefix + keyAfter, value: entry })
  }
  return ops
}

/** An item is in an index if it has all of the index's key attributes. */
export function belongsTo(index: Index, item: Item): boolean {
  for (const key of index.keys) if (item[key.name] === undefined) return false
  return true
}

/** The entry of an item that is in the index. */
export function projectItem(index: Index, item: Item): Item {
  if (index.projects === 'ALL') return item
  const entry: Item = {}
  for (const name of index.projects) if (item[name] !== undefined) entry[name] = item[name]
  return entry
}
