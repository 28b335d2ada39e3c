import { isoTime, type Clock } from '../kernel/clock.ts'
import { mayFail } from '../kernel/log.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { dueItems } from '../store/due-items.ts'
import { fileDueKey, fileDuePartitions, parseFileKey } from '../store/keys/files.ts'
import { type Key, keyOfItem } from '../store/keys/key.ts'
import type { Item } from '../store/marshal.ts'
import { hasHeld } from '../store/refusals.ts'
import { dueSlot, moveInSlot, removeSlot, slotSort, sortedAt } from '../store/slots.ts'
import type { Store } from '../store/table.ts'
import { readFile } from './file-row.ts'
import { isClaimed, releaseFiles } from './release-files.ts'

/** Longer than any write may run that saw the file before it was marked as leaving. */
const graceMs = 3_600_000

export interface SweepDependencies {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  /** Harmless when there is no such object. */
  readonly deleteObject: (key: string) => Promise<void>
}

/**
 * Files of any tenant whose time has come, at most `limit` a shard: works off releases that were cut off, and removes what
 * nobody claims: uploads after a day, released files after thirty.
 */
export async function sweepFiles(
  deps: SweepDependencies,
  limit: number,
): Promise<{ released: number; removed: number }> {
  const now = isoTime(deps.clock.now())
  const due = await dueItems(deps.store, fileDuePartitions, now, limit)
  const swept = { released: 0, removed: 0 }
  await Promise.all(
    due.map(async (items) => {
      for (const item of items) {
        const done = await mayFail('sweep a file', () => sweepItem(deps, keyOfItem(item), now))
        if (done) swept[done] += 1
      }
    }),
  )
  return swept
}

async function sweepItem(
  deps: SweepDependencies,
  { pk, sk }: Key,
  now: string,
): Promise<'released' | 'removed' | undefined> {
  const found = parseFileKey({ pk, sk })
  if (!found) return undefined
  const { tenant, kind, token } = found
  const item = await deps.store.get(tenant, { pk, sk })
  // The index lags: what it shows may have been given another day meanwhile.
  if (!item || slotSort(item, dueSlot) > now) return undefined
  if (kind === 'release') {
    await releaseFiles(deps, tenant, { ...item, pk, sk })
    return 'released'
  }
  return (await removeUnclaimed(deps, tenant, token, item)) ? 'removed' : undefined
}

/**
 * Two looks an hour apart: after the first nobody may claim the file any more, and at the second whoever was about to has
 * done so. So no record ever holds a file that is gone.
 */
async function removeUnclaimed(
  { store, clock, deleteObject }: SweepDependencies,
  tenant: TenantRef,
  token: string,
  item: Item,
): Promise<boolean> {
  const key = keyOfItem(item)
  const file = readFile(item)
  const asSeen = sortedAt(dueSlot, slotSort(item, dueSlot))
  if (await isClaimed(store, tenant, token)) {
    await hasHeld(
      store.write(tenant, {
        update: key,
        change: { expression: `REMOVE ${removeSlot(dueSlot)}, released_at, leaving_at` },
        if: asSeen,
      }),
    )
    return false
  }
  if (!file.isBeingRemoved) {
    const now = clock.now()
    const later = moveInSlot(dueSlot, fileDueKey(isoTime(now + graceMs), tenant, token).sk)
    const change = {
      expression: `SET leaving_at = :now, ${later.expression}`,
      values: { ':now': isoTime(now), ...later.values },
    }
    await hasHeld(store.write(tenant, { update: key, change, if: asSeen }))
    return false
  }
  await deleteObject(file.path)
  return hasHeld(store.write(tenant, { remove: key, if: asSeen }))
}
