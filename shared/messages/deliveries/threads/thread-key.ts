import { lruMap } from '../../../kernel/collections/lru-map.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Clock } from '../../../kernel/time/clock.ts'
import type { ThreadKey } from '../../../platform/mail/record-thread.ts'
import { threadKeyKey } from '../../../platform/store/keys/messages/deliveries.ts'
import type { Store } from '../../../platform/store/store.ts'
import { isNew } from '../../../platform/store/writes/conditions.ts'
import { ConditionFailed } from '../../../platform/store/writes/refusals.ts'

/** Finds the key that signs the ids in mails of a tenant. */
export type FindThreadKey = (tenant: TenantRef) => Promise<ThreadKey>

/** Keys that an instance remembers. */
const maxKept = 10_000
const keyBytes = 32

/** Keys of tenants, each made at its first use and never changed, because mails that carry its MACs are out. */
export function threadKeys({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'get' | 'write'>
  readonly clock: Pick<Clock, 'bytes'>
}): FindThreadKey {
  const kept = lruMap<number, ThreadKey>(maxKept)
  return async (tenant) => {
    const known = kept.get(tenant.id)
    if (known) return known
    const row = threadKeyKey(tenant)
    const item = (await store.get(tenant, row)) ?? (await make(tenant))
    const key = Buffer.from(String(item.key), 'base64url')
    kept.set(tenant.id, key)
    return key
  }

  /** Of two at the same time, the first counts. */
  async function make(tenant: TenantRef) {
    const item = {
      ...threadKeyKey(tenant),
      kind: 'thread_key',
      v: 1,
      key: clock.bytes(keyBytes).toString('base64url'),
    }
    try {
      await store.write(tenant, { put: item, if: isNew })
      return item
    } catch (error) {
      if (error instanceof ConditionFailed && error.existing) return error.existing
      throw error
    }
  }
}
