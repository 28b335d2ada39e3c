import type { Clock } from '../../kernel/clock.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { historyKey } from '../../store/keys/history.ts'
import type { Store } from '../../store/table.ts'

/** So many rows may be stored whose history is not written yet: what audit works off in a good deal less than two seconds. */
const maxAhead = 600
const pauseMs = 10
/** A feed that stands still slows an import down; it does not stop it. */
const patienceMs = 1000

/**
 * Keeps an import in step with the change feed: somebody else's change, made meanwhile, stands behind everything the import
 * stored and audit has not seen. Whether audit has seen a row shows in its history, so no counter is needed, in AWS or here.
 */
export function feedPace(
  store: Pick<Store, 'get'>,
  clock: Pick<Clock, 'now' | 'sleep'>,
  tenant: TenantRef,
  model: string,
) {
  /** The last row of each transaction whose history was not seen yet, and how many rows it stored. */
  const ahead: { readonly id: number; readonly rows: number }[] = []
  let rowsAhead = 0

  const isSeen = async (id: number): Promise<boolean> =>
    (await store.get(tenant, historyKey(tenant, model, id, 1))) !== undefined

  return {
    stored(id: number, rows: number): void {
      ahead.push({ id, rows })
      rowsAhead += rows
    },
    /** Waits until the feed has come near enough. */
    async keep(): Promise<void> {
      const end = clock.now() + patienceMs
      while (rowsAhead > maxAhead) {
        const oldest = ahead[0] as (typeof ahead)[number]
        if (await isSeen(oldest.id)) {
          ahead.shift()
          rowsAhead -= oldest.rows
        } else if (clock.now() < end) await clock.sleep(pauseMs)
        else return
      }
    },
  }
}
