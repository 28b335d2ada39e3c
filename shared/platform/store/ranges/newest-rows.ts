import { keyOfItem } from '../keys/key.ts'
import { slotAttributes } from '../slots.ts'
import type { Scope, Store } from '../store.ts'
import type { Item } from '../values/marshal.ts'

/** A row, and its sort key in the range that was read. */
export interface SortedRow {
  readonly sort: string
  readonly item: Item
}

export interface NewestRows {
  /** Without rows that an index still lists and that are gone. */
  readonly rows: readonly SortedRow[]
  /** The sort key at which the next read starts, included; undefined at the end. */
  readonly next?: string
}

/**
 * Reads a partition, or a partition of a slot index, from the highest sort key down: from `from`, included, or the end.
 * Answers at most `limit` rows, fewer when they are large.
 */
export async function newestRows(
  store: Pick<Store, 'query' | 'getMany'>,
  scope: Scope,
  { pk, index }: { readonly pk: string; readonly index?: string },
  from: string | undefined,
  limit: number,
): Promise<NewestRows> {
  const { items, last } = await store.query(scope, { pk, index, to: from, reverse: true, limit: limit + 1 })
  const sort = index === undefined ? 'sk' : slotAttributes(index).sort
  const isCut = items.length > limit || last !== undefined
  const shown = isCut ? items.slice(0, -1) : items
  const rows = index === undefined || shown.length === 0 ? shown : await store.getMany(scope, shown.map(keyOfItem))
  return {
    rows: shown.flatMap((one, position) => {
      const item = rows[position]
      return item ? [{ sort: String(one[sort]), item }] : []
    }),
    ...(isCut && { next: String(items.at(-1)?.[sort]) }),
  }
}
