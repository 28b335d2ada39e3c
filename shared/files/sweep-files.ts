import { isoTime, type Clock } from '../kernel/clock.ts'
import { mayFail } from '../kernel/log.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { dueItems } from '../store/due/due-items.ts'
import { fileDueKey, fileDuePartitions, parseFileKey } from '../store/keys/files.ts'
import { type Key, keyOfItem } from '../store/keys/key.ts'
import type { Item } from '../store/marshal.ts'
import { wasApplied } from '../store/refusals.ts'
import { dueSlot, moveInSlot, removeSlot, slotSort, sortedAt } from '../store/slots.ts'
import type { Store } from '../store/store.ts'
import { readFile } from './file-row.ts'
import { isClaimed, releaseFiles } from './release-files.ts'

/** Longer than a write may take that read the file before its removal began. */
const graceMs = 3_600_000

export interface SweepDependencies {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  /** Idempotent: succeeds when there is no such object. */
  readonly deleteObject: (key: string) => Promise<void>
}

/**
 * Works off due files of any tenant, at most `limit` per shard: finishes interrupted releases, and removes files that
 * no record claims, uploads after a day, released files after thirty.
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
  // The index is eventually consistent: the file may have a later due date by now.
  if (!item || slotSort(item, dueSlot) > now) return undefined
  if (kind === 'release') {
    await releaseFiles(deps, tenant, { ...item, pk, sk })
    return 'released'
  }
  return (await removeUnclaimed(deps, tenant, token, item)) ? 'removed' : undefined
}

/**
 * Removes a file in two passes, an hour apart: the first forbids new claims, the second runs when every write that read
 * the file before has ended. So no record holds a file that is gone (docs/decisions/0007). Answers whether it is
 * removed.
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
    await wasApplied(
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
    await wasApplied(store.write(tenant, { update: key, change, if: asSeen }))
    return false
  }
  await deleteObject(file.path)
  return wasApplied(store.write(tenant, { remove: key, if: asSeen }))
}
