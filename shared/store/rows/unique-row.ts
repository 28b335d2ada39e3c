import type { Key } from '../keys/key.ts'
import type { Item } from '../marshal.ts'

/** The row that holds a unique value for the record, or the relation, of an id. */
export const uniqueItem = (key: Key, id: number): Item & Key => ({ ...key, kind: 'unique', v: 1, id })

/** The id that holds the value. */
export const readHolder = (item: Item): number => Number(item.id)
