/** Work on all the rows of a table, when an index or a time to live is added or taken away. */
import type { Op, Storage } from '../storage.ts'
import type { Item } from './attribute-value.ts'
import type { ItemLocks } from './item-locks.ts'
import type { Table } from './table.ts'

const rowsAtOnce = 500

/** Adds the writes `opsFor` derives from each item, under its lock: items may change meanwhile. */
export async function backfill(storage: Storage, locks: ItemLocks, table: Table, opsFor: (key: string, item: Item) => Op[]): Promise<void> {
  let from = table.itemPrefix
  for (;;) {
    const rows = await storage.range({ gt: from, lt: `${table.itemPrefix}~`, limit: rowsAtOnce })
    await Promise.all(rows.map(([rowKey]) => locks.hold([rowKey], async () => {
      const text = storage.get(rowKey)
      if (text !== undefined) await storage.commit(opsFor(rowKey.slice(table.itemPrefix.length), JSON.parse(text) as Item))
    })))
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
