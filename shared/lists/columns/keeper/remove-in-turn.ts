import type { Key } from '../../../platform/store/keys/key.ts'
import type { KeptTable } from './keeper-limits.ts'

/**
 * Blocks are written, and removed, about so many bytes at a time, which costs a partition one second of its units: each
 * call has its own few seconds to be retried while DynamoDB throttles.
 */
export const callBytes = 1024 * 1024
const callKeys = 100

/** A key and about how many bytes its item has. */
export interface SizedKey {
  readonly key: Key
  readonly bytes: number
}

/** Removes items, some at a time. */
export async function removeInTurn({ store, tenant }: KeptTable, items: readonly SizedKey[]): Promise<void> {
  for (let start = 0; start < items.length;) {
    let end = start
    for (let bytes = 0; end < items.length && end - start < callKeys && bytes < callBytes; end += 1)
      bytes += (items[end] as SizedKey).bytes
    await store.writeMany(
      tenant,
      [],
      items.slice(start, end).map(({ key }) => key),
    )
    start = end
  }
}
