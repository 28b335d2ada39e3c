import { mayFail } from '../../kernel/runtime/log.ts'
import type { TenantRef } from '../../kernel/tenancy.ts'
import { isoTime, type Clock } from '../../kernel/time/clock.ts'
import { takeDueItems } from '../../platform/store/due/take-due.ts'
import { fileDueKey, fileDuePartitions, parseFileKey } from '../../platform/store/keys/files.ts'
import { keyOfItem } from '../../platform/store/keys/key.ts'
import { dueSlot, dueTaken, moveInSlot, removeSlot, slotSort, sortedAt } from '../../platform/store/slots.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { wasApplied } from '../../platform/store/writes/refusals.ts'
import { readFile } from './file-row.ts'
import { isClaimed, releaseFiles } from './release-files.ts'

/** Longer than a write may take that read the file before its removal began. */
const graceMs = 3_600_000
/** What is taken at once, and not worked off in time, is due again only two minutes later. */
const takenPerShard = 25

export interface SweepDependencies {
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  /** Idempotent: succeeds when there is no such object. */
  readonly deleteObject: (key: string) => Promise<void>
}

/**
 * Works off due files of any tenant, oldest first, until `timeIsUp` or none is due: finishes interrupted releases, and
 * removes files that no record claims, uploads after a day, released files after thirty. What fails is due again
 * minutes later, so it hides nothing. Answers how many releases and files it worked off, and how many failed.
 */
export async function sweepFiles(
  services: SweepDependencies,
  timeIsUp: () => boolean,
): Promise<{ released: number; removed: number; failed: number }> {
  const swept = { released: 0, removed: 0, failed: 0 }
  while (!timeIsUp()) {
    const due = await takeDueItems(services, fileDuePartitions, takenPerShard)
    if (due.length === 0) break
    const work = due.values()
    const worker = async (): Promise<void> => {
      for (const { item } of work) {
        if (timeIsUp()) return
        const done = (await mayFail('sweep a file', () => sweepItem(services, item))) ?? 'failed'
        if (done !== 'later') swept[done] += 1
      }
    }
    await Promise.all(fileDuePartitions.map(worker))
  }
  return swept
}

async function sweepItem(services: SweepDependencies, item: Item): Promise<'released' | 'removed' | 'later'> {
  const key = keyOfItem(item)
  const found = parseFileKey(key)
  if (!found) throw new Error(`neither a file nor a release is due at ${key.pk}`)
  const { tenant, kind, token } = found
  if (kind === 'release') {
    await releaseFiles(services, tenant, { ...item, ...key })
    return 'released'
  }
  return (await removeUnclaimed(services, tenant, token, item)) ? 'removed' : 'later'
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
      expression: `SET leaving_at = :now, ${later.expression} REMOVE ${dueTaken}`,
      values: { ':now': isoTime(now), ...later.values },
    }
    await wasApplied(store.write(tenant, { update: key, change, if: asSeen }))
    return false
  }
  await deleteObject(file.path)
  return wasApplied(store.write(tenant, { remove: key, if: asSeen }))
}
