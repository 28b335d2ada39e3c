/**
 * Blind puts: puts that do not read the item they replace (docs/decisions/0026). Allowed while no item whose
 * partition key has the same shape was ever in an index, an expiry row or the stream.
 */
import type { Op, Storage } from '../../runtime/storage/storage.ts'
import type { Item } from '../items/attribute-value.ts'
import { belongsTo } from '../items/index-entries.ts'
import type { Table } from '../tables/table.ts'
import type { Write } from './plan-write.ts'

export interface BlindPuts {
  /** Whether a put needs no old item: the request does not ask for it, and it has no other rows to remove. */
  canPutBlind(write: Write): boolean
  /** Operations that record the shape of an indexed item, until such a write is confirmed. */
  shapeOps(table: Table, item: Item): Op[]
  /** Call it when operations, among them some of `shapeOps`, are committed. */
  confirm(ops: readonly Op[]): void
  /** Operations for a new table. Blind puts work only for tables tracked from their first item. */
  newTableOps(tableName: string): Op[]
}

/**
 * The start of a partition key usually names the kind of item, so shapes are few. Beyond `maxShapes`, no put is
 * blind.
 */
const shapeLength = 8
const maxShapes = 1000

const prefix = 'ddb/shape/'
const prefixOf = (tableName: string): string => `${prefix}${tableName}/`

/** `isLogged`: whether the stream logs this item's change. It would then also need the old image. */
export async function openBlindPuts(
  storage: Storage,
  isLogged: (table: Table, item: Item) => boolean,
): Promise<BlindPuts> {
  /** By table: the shapes of indexed items. */
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
      if (!known || known.size > maxShapes || kind !== 'Put') return false
      if (request._condition || request.Expected || (request.ReturnValues ?? 'NONE') !== 'NONE') return false
      const item = request.Item!
      return isUnindexed(table, item) && !isLogged(table, item) && !known.has(shapeOf(table, item))
    },
    shapeOps(table, item) {
      const known = shapes.get(table.name)
      if (!known || known.size > maxShapes || isUnindexed(table, item)) return []
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

/** The shape of the partition key: its first characters, with numbers as 0. In hex, so that it holds no separator. */
function shapeOf({ keys: [partition] }: Table, item: Item): string {
  const value = String(item[partition!.name]?.[partition!.type])
  return Buffer.from(
    value
      .slice(0, 2 * shapeLength)
      .replace(/\d+/g, '0')
      .slice(0, shapeLength),
  ).toString('hex')
}
