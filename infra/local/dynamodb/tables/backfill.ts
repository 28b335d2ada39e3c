/** Rewrites all rows of a table when an index or a time to live is added or removed. */
import type { Op, Storage } from '../../runtime/storage/storage.ts'
import type { Item } from '../items/attribute-value.ts'
import type { ItemLocks } from '../write/item-locks.ts'
import type { Table } from './table.ts'

const rowsAtOnce = 500

interface BackfillParts {
  storage: Storage
  locks: ItemLocks
}

/**
 * Writes what `opsFor` returns for each item, under the item's lock, since items may change meanwhile. `table`: the
 * new definition.
 */
export async function backfill(
  { storage, locks }: BackfillParts,
  table: Table,
  opsFor: (key: string, item: Item) => Op[],
): Promise<void> {
  let from = table.itemPrefix
  for (;;) {
    const rows = await storage.range({ gt: from, lt: `${table.itemPrefix}~`, limit: rowsAtOnce })
    await Promise.all(
      rows.map(([rowKey]) =>
        locks.hold([rowKey], async () => {
          const text = storage.get(rowKey)
          if (text === undefined) return
          const item = JSON.parse(text) as Item
          await storage.commit(opsFor(rowKey.slice(table.itemPrefix.length), item))
        }),
      ),
    )
    if (rows.length < rowsAtOnce) return
    from = rows.at(-1)![0]
  }
}

export async function deleteRange(storage: Storage, prefix: string): Promise<void> {
  for (;;) {
    const rows = await storage.range({ gte: prefix, lt: `${prefix}~`, limit: rowsAtOnce })
    await storage.commit(rows.map(([key]) => ({ type: 'del', key })))
    if (rows.length < rowsAtOnce) return
  }
}
