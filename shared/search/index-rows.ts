import type { Key } from '../store/keys/key.ts'
import type { Item } from '../store/marshal.ts'
import type { Write } from '../store/table.ts'

/** The row that says that a record holds a word, and how much the word weighs there. */
export const postingItem = (key: Key, weight: number): Item & Key => ({ ...key, kind: 'posting', v: 1, w: weight })

export const readWeight = (item: Item): number => Number(item.w)

/** Moves the number of records that hold a value; the row comes to be with its first move. */
export const moveCounter = (key: Key, by: number): Write => ({
  update: key,
  change: {
    expression: 'SET #kind = :kind, #v = :v ADD #n :by',
    names: { '#kind': 'kind', '#v': 'v', '#n': 'n' },
    values: { ':kind': 'counter', ':v': 1, ':by': by },
  },
})

/** How many records hold the value; 0 where there is no row. */
export const readCounter = (item: Item | undefined): number => Number(item?.n ?? 0)
