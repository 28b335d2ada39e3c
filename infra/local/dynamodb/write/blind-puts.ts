/**
 * Which items may be put without a look at the one before: those that are bare, in no index and without a time to live, where
 * every item was that shared the shape of their partition key. Most such puts are of new items, and a key that is not there is
 * the dearest to look for: each level of LevelDB is asked, and many vain questions make it rewrite its files.
 */
import type { Op, Storage } from '../../runtime/storage.ts'
import type { Item } from '../items/attribute-value.ts'
import { belongsTo } from '../items/index-entries.ts'
import type { Table } from '../tables/table.ts'
import type { Write } from './plan-write.ts'

export interface BlindPuts {
  /** Whether a put can do without the item it replaces: nobody asks for it, and it leaves nothing behind beside itself. */
  canPutBlind(write: Write): boolean
  /** What is to be written with an item that is not bare, until that has been written with one of its shape. */
  shapeOps(table: Table, item: Item): Op[]
  /** These operations, among them some of `ops`, are in the store. */
  confirm(ops: readonly Op[]): void
  /** What is to be written with a new table: only of a table known from its first item can anything be said. */
  newTableOps(tableName: string): Op[]
}

/** Shapes are few as long as the start of a partition key tells kinds apart; where it does not, nothing is bare any more. */
const shapeLength = 8
const shapesMax = 1000

const prefix = 'ddb/shape/'
const prefixOf = (tableName: string): string => `${prefix}${tableName}/`

/** `isLogged`: whether the stream tells of a change by its new image; then it also tells the old one. */
export async function openBlindPuts(
  storage: Storage,
  isLogged: (table: Table, item: Item) => boolean,
): Promise<BlindPuts> {
  /** By table, the shapes of items that are not bare. */
  const shapes = new Map<string, Set<string>>()
  const unwritten = new Set<string>()
  for (const [key] of await storage.range({ gte: prefix, lt: `${prefix}~` })) {
    const [tableName, shape] = key.slice(prefix.length).split('/', 2) as [string, string]
    const known = shapes.get(tableName) ?? new Set()
    if (shape !== '') known.add(shape)
    shapes.set(tableName, known)
  }

  return {
    canPutBlind({ kind, table, request }) {
      const known = shapes.get(table.name)
      if (!known || known.size > shapesMax || kind !== 'Put') return false
      if (request._condition || request.Expected || (request.ReturnValues ?? 'NONE') !== 'NONE') return false
      const item = request.Item!
      return isUnindexed(table, item) && !isLogged(table, item) && !known.has(shapeOf(table, item))
    },
    shapeOps(table, item) {
      const known = shapes.get(table.name)
      if (!known || known.size > shapesMax || isUnindexed(table, item)) return []
      const shape = shapeOf(table, item)
      const key = prefixOf(table.name) + shape
      if (known.has(shape) && !unwritten.has(key)) return []
      known.add(shape)
      unwritten.add(key)
      return [{ type: 'put', key, value: '' }]
    },
    confirm(ops) {
      if (unwritten.size > 0) for (const { key } of ops) unwritten.delete(key)
    },
    newTableOps(tableName) {
      shapes.set(tableName, new Set())
      return [{ type: 'put', key: prefixOf(tableName), value: '' }]
    },
  }
}

function isUnindexed(table: Table, item: Item): boolean {
  if (table.timeToLiveAttribute !== undefined && item[table.timeToLiveAttribute] !== undefined) return false
  return !table.indexes.some((index) => belongsTo(index, item))
}

/** Any function of the partition key would do; this one takes the members of a numbered family for one. In hex, so that no separator is in it. */
function shapeOf({ keys: [partition] }: Table, item: Item): string {
  const value = String(item[partition!.name]?.[partition!.type])
  return Buffer.from(
    value
      .slice(0, 2 * shapeLength)
      .replace(/\d+/g, '0')
      .slice(0, shapeLength),
  ).toString('hex')
}
