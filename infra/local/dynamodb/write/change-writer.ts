import type { Op, Storage } from '../../runtime/storage/storage.ts'
import type { Replicas } from '../consistency/replicas.ts'
import type { Item } from '../items/attribute-value.ts'
import { indexOps } from '../items/index-entries.ts'
import { itemText } from '../items/item-text.ts'
import type { StreamLog } from '../streams/stream-log.ts'
import type { Table } from '../tables/table.ts'
import { expiryOps } from '../tables/time-to-live.ts'
import type { Change } from './plan-write.ts'

export interface ChangeWriter {
  /** Writes items, index entries, expiry rows, stream records and `more` in one atomic batch. */
  write(changes: readonly Change[], more?: readonly Op[]): Promise<void>
  /** Waits for delayed index entries. */
  waitForIndexes(): Promise<void>
}

interface WriterOptions {
  /**
   * Index entries become visible this much later than items, as in AWS. For tests only: a crash in between loses
   * them.
   */
  indexDelayMs: number
  /** Copies that lag behind; without them all reads see each write at once. */
  replicas?: Replicas
  isLogged: (table: Table, image: Item) => boolean
}

export function createChangeWriter(
  storage: Storage,
  logs: ReadonlyMap<string, StreamLog>,
  { indexDelayMs, replicas, isLogged }: WriterOptions,
): ChangeWriter {
  const delayed = new Set<Promise<void>>()

  function commitLater(ops: Op[]): void {
    const committed = new Promise((resolve) => setTimeout(resolve, indexDelayMs))
      .then(() => storage.commit(ops))
      .finally(() => delayed.delete(committed))
    delayed.add(committed)
  }

  return {
    async write(changes, more = []) {
      const ops = [...more]
      const later: Op[] = []
      const published: Array<() => void> = []
      for (const change of changes) {
        const { table, key, before, after } = change
        const text = after && itemText(table, after)
        const itemKey = table.itemPrefix + key
        const item: Op = text === undefined ? { type: 'del', key: itemKey } : { type: 'put', key: itemKey, value: text }
        const entries = indexOps(table, key, before, after)
        replicas?.note(item, entries)
        ops.push(item)
        for (const op of entries) (indexDelayMs > 0 ? later : ops).push(op)
        if (table.timeToLiveAttribute !== undefined) ops.push(...expiryOps(table, key, before, after))
        const log = logs.get(table.name)
        if (log && isLogged(table, (after ?? before)!)) {
          const { op, position } = log.append(change, text)
          ops.push(op)
          published.push(() => log.publish(position))
        }
      }
      if (ops.length === 0) return
      // No await before this line: records must get their positions in the order of their commits.
      await storage.commit(ops)
      for (const publish of published) publish()
      if (later.length > 0) commitLater(later)
    },
    async waitForIndexes() {
      await Promise.all(delayed)
    },
  }
}
