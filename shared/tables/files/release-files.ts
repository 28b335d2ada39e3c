import type { TenantRef } from '../../kernel/tenancy.ts'
import { isoTime, type Clock } from '../../kernel/time/clock.ts'
import { claimPrefix, fileClaimKey, fileDueKey, fileKey, filePartition } from '../../platform/store/keys/files.ts'
import { type Key, keyOfItem } from '../../platform/store/keys/key.ts'
import { dueSlot, dueTaken, setSlot } from '../../platform/store/slots.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Item } from '../../platform/store/values/marshal.ts'
import { below, exists, isNew, or } from '../../platform/store/writes/conditions.ts'
import { wasApplied } from '../../platform/store/writes/refusals.ts'
import { type FileHolder, readRelease } from './claim-rows.ts'

/** How long a file without claims is kept, so that a record can be restored. */
export const retentionMs = 30 * 24 * 3_600_000

type Dependencies = { readonly store: Store; readonly clock: Pick<Clock, 'now'> }

/**
 * Finishes a release: removes the claims, and gives files without any claim a due date. Idempotent and safe at any
 * later time: a claim of a newer version of the record stays.
 */
export async function releaseFiles(services: Dependencies, tenant: TenantRef, release: Item & Key): Promise<void> {
  const { by, tokens, since } = readRelease(release)
  await Promise.all(tokens.map((token) => releaseOne(services, tenant, token, by, since)))
  await services.store.write(tenant, { remove: keyOfItem(release) })
}

async function releaseOne(
  { store, clock }: Dependencies,
  tenant: TenantRef,
  token: string,
  by: FileHolder,
  since?: string,
): Promise<void> {
  const removal = store.write(tenant, {
    remove: fileClaimKey(tenant, token, by.model, by.id, by.commentId),
    if: or(isNew, below('version', by.version)),
  })
  if (!(await wasApplied(removal))) return
  if (await isClaimed(store, tenant, token)) return
  const releasedMs = since === undefined ? clock.now() : Date.parse(since)
  const due = fileDueKey(isoTime(releasedMs + retentionMs), tenant, token)
  const enter = setSlot(dueSlot, due.pk, due.sk)
  await wasApplied(
    store.write(tenant, {
      update: fileKey(tenant, token),
      change: {
        expression: `SET released_at = :now, ${enter.expression} REMOVE leaving_at, ${dueTaken}`,
        values: { ':now': isoTime(releasedMs), ...enter.values },
      },
      if: exists,
    }),
  )
}

/** Whether any record holds the file. */
export async function isClaimed(store: Pick<Store, 'query'>, tenant: TenantRef, token: string): Promise<boolean> {
  return (
    (await store.query(tenant, { pk: filePartition(tenant, token), prefix: claimPrefix, limit: 1 })).items.length > 0
  )
}
