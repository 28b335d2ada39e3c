import { sequenceKey } from '../store/keys.ts'
import { ConditionFailed } from '../store/refusals.ts'
import type { Store } from '../store/table.ts'
import type { TenantRef } from '../tenancy.ts'

/** A table's sequence row as it stood when counting began. */
export interface CountBegun {
  readonly next: number
  readonly live: number
}

export async function beginCount(store: Pick<Store, 'get'>, tenant: TenantRef, model: string): Promise<CountBegun> {
  const item = await store.get(tenant, sequenceKey(tenant, model))
  return { next: Number(item?.next ?? 0), live: Number(item?.live ?? 0) }
}

/**
 * Corrects the number of living records to the one that was `counted`: a create counts before it stores, so one whose process
 * dies in between leaves the number too high. Only when nobody took an id, created, deleted or restored since the count
 * began: what was under way then has ended, and the count is exact. Answers the difference; undefined when somebody did.
 */
export async function repairCount(store: Pick<Store, 'write'>, tenant: TenantRef, model: string, { next, live }: CountBegun, counted: number): Promise<number | undefined> {
  if (next === 0) return 0
  try {
    await store.write(tenant, {
      update: sequenceKey(tenant, model),
      change: { expression: 'SET #live = :counted', names: { '#live': 'live' }, values: { ':counted': counted } },
      if: { expression: '#next = :next AND (#live = :live OR #live = :counted)', names: { '#next': 'next', '#live': 'live' }, values: { ':next': next, ':live': live, ':counted': counted } },
    })
    return counted - live
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}
