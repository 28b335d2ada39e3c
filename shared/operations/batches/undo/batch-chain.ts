import type { TenantRef } from '../../../kernel/tenancy.ts'
import { batchKey } from '../../../platform/store/keys/batches.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readBatch } from '../rows/batch-row.ts'

/** What a write means for a batch: it made its values, or an undo took them back. */
export type Side = 'made' | 'taken back'

/** The batch that a write goes back to through undos, and what the write means for it. */
export interface Origin {
  readonly root: number
  readonly side: Side
}

/**
 * Tells which batch each write goes back to. An undo of a batch took its values back, an undo of that undo made them again,
 * and so on: who undoes a batch twice meets only what others changed.
 */
export function openChain({ store, nowMs }: { readonly store: Pick<Store, 'get'>; readonly nowMs: number }) {
  return function chainOf(tenant: TenantRef): (batchId: number | undefined) => Promise<Origin | undefined> {
    const known = new Map<number, Promise<Origin>>()
    const originOf = (id: number): Promise<Origin> => {
      const before = known.get(id)
      if (before) return before
      const found = look(id)
      known.set(id, found)
      return found
    }
    async function look(id: number): Promise<Origin> {
      const batch = readBatch(await store.get(tenant, batchKey(tenant, id)), nowMs)
      // An undo is younger than what it undoes, so the walk ends.
      if (!batch || !('undoes' in batch.work) || batch.work.undoes >= id) return { root: id, side: 'made' }
      const { root, side } = await originOf(batch.work.undoes)
      return { root, side: side === 'made' ? 'taken back' : 'made' }
    }
    return (batchId) => (batchId === undefined ? Promise.resolve(undefined) : originOf(batchId))
  }
}
