import type { Key } from '../store/keys/key.ts'
import type { Item } from '../store/marshal.ts'
import type { Write } from '../store/store.ts'

/** The row of a posting: the record in its key has the word in its key, with this weight. */
export const postingItem = (key: Key, weight: number): Item & Key => ({ ...key, kind: 'posting', v: 1, w: weight })

/** The weight in a posting. */
export const readWeight = (item: Item): number => Number(item.w)

/** Changes the number of records that have a value. The first change creates the row. */
export const moveCounter = (key: Key, by: number): Write => ({
  update: key,
  change: {
    expression: 'SET #kind = :kind, #v = :v ADD #n :by',
    names: { '#kind': 'kind', '#v': 'v', '#n': 'n' },
    values: { ':kind': 'counter', ':v': 1, ':by': by },
  },
})

/** How many records have the value; 0 when there is no row. */
export const readCounter = (item: Item | undefined): number => Number(item?.n ?? 0)
