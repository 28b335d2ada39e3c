import type { Item } from '../marshal.ts'
import { dueSlot, slotName } from '../slots.ts'
import { deploymentWide, type Store } from '../store.ts'

/**
 * For each partition, the keys of items of any tenant that are due by `to` (ISO time): at most `limit`, oldest first.
 */
export async function dueItems(
  store: Pick<Store, 'query'>,
  partitions: readonly string[],
  to: string,
  limit: number,
): Promise<(readonly Item[])[]> {
  const pages = await Promise.all(
    partitions.map((pk) => store.query(deploymentWide, { pk, index: slotName(dueSlot), to, limit })),
  )
  return pages.map(({ items }) => items)
}
