import { readAll } from '../ranges/read-all.ts'
import { dueSlot, slotName } from '../slots.ts'
import { deploymentWide, type Store } from '../store.ts'
import type { Item } from '../values/marshal.ts'

const perPage = 250

/**
 * For each partition, the keys of items of any tenant that are due by `to` (ISO time): at most `limit`, oldest first.
 */
export async function dueItems(
  store: Pick<Store, 'query'>,
  partitions: readonly string[],
  to: string,
  limit: number,
): Promise<(readonly Item[])[]> {
  return Promise.all(
    partitions.map((pk) =>
      readAll(store, deploymentWide, { pk, index: slotName(dueSlot), to, limit: Math.min(limit, perPage) }, limit),
    ),
  )
}
