import type { TenantRef } from '../../../kernel/tenancy.ts'
import { batchKey } from '../../../platform/store/keys/batches.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readBatch } from '../rows/batch-row.ts'

/** What a write means for a batch: it made its values, or an undo took them back. */
export type Side = 'made' | 'taken back'

/**
 * Tells writes of a batch from those of others. An undo of the batch took its values back, an undo of that undo made them
 * again, and so on: who undoes a batch twice meets only what others changed.
 */
export function openChain({ store, nowMs }: { readonly store: Pick<Store, 'get'>; readonly nowMs: number }) {
  return function chainOf(tenant: TenantRef, root: number): (batchId: number | undefined) => Promise<Side | undefined> {
    const known = new Map<number, Promise<Side | undefined>>([[root, Promise.resolve('made')]])
    const sideOf = (id: number): Promise<Side | undefined> => {
      const before = known.get(id)
      if (before) return before
      const found = look(id)
      known.set(id, found)
      return found
    }
    async function look(id: number): Promise<Side | undefined> {
      const batch = readBatch(await store.get(tenant, batchKey(tenant, id)), nowMs)
      // An undo is younger than what it undoes, so the walk ends.
      if (!batch || !('undoes' in batch.work) || batch.work.undoes >= id) return undefined
      const side = await sideOf(batch.work.undoes)
      return side && (side === 'made' ? 'taken back' : 'made')
    }
    return (batchId) => (batchId === undefined ? Promise.resolve(undefined) : sideOf(batchId))
  }
}
