import type { Key } from '../keys/key.ts'
import type { Item } from '../values/marshal.ts'

/** The guard row of a unique value: the record or relation with this id has the value. */
export const uniqueItem = (key: Key, id: number): Item & Key => ({ ...key, kind: 'unique', v: 1, id })

/** The id of the record or relation that has the value. */
export const readHolder = (item: Item): number => Number(item.id)
