import { sequenceKey, slotPartition } from '../store/keys.ts'
import type { Item } from '../store/marshal.ts'
import { ConditionFailed } from '../store/refusals.ts'
import { slotName, updatedAtSlot } from '../store/slots.ts'
import type { Condition, Store } from '../store/table.ts'
import type { TenantRef } from '../tenancy.ts'

/** The number of living records of a table beside what its sequence says. */
export interface LiveCount {
  readonly next: number
  readonly live: number | null
  readonly counted: number
}

/**
 * Counts the living records of a table by the keys of an index that all of them stand in; undefined when somebody created or
 * deleted one meanwhile.
 */
export async function countLive(store: Pick<Store, 'get' | 'countPage'>, tenant: TenantRef, model: string): Promise<LiveCount | undefined> {
  const before = sequenceState(await store.get(tenant, sequenceKey(tenant, model)))
  let counted = 0
  let after: Readonly<Record<string, string>> | undefined
  do {
    const page = await store.countPage(tenant, { pk: slotPartition(tenant, model, 'updated_at'), index: slotName(updatedAtSlot), after })
    counted += page.count
    after = page.last
  } while (after)
  const { next, live } = sequenceState(await store.get(tenant, sequenceKey(tenant, model)))
  return next === before.next && live === before.live ? { next, live, counted } : undefined
}

export const isOff = ({ live, counted }: LiveCount): boolean => (live ?? 0) !== counted

/**
 * Sets the count of a table right, on condition that it still stands as it was counted. Only for a count that came out the
 * same twice, longer apart than a request lives: a create takes its count before it stores its record, and an index lags.
 */
export async function mendLive(store: Pick<Store, 'write'>, tenant: TenantRef, model: string, { next, live, counted }: LiveCount): Promise<boolean> {
  try {
    await store.write(tenant, {
      update: sequenceKey(tenant, model),
      change: { expression: 'SET #live = :counted', names: { '#live': 'live' }, values: { ':counted': counted } },
      if: standsAt(next, live),
    })
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

const standsAt = (next: number, live: number | null): Condition => ({
  expression: `#next = :next AND ${live === null ? 'attribute_not_exists(#live)' : '#live = :live'}`,
  names: { '#next': 'next' },
  values: { ':next': next, ...(live !== null && { ':live': live }) },
})

/** As it stands, below zero as well. */
export const sequenceState = (item: Item | undefined): Pick<LiveCount, 'next' | 'live'> => ({
  next: Number(item?.next ?? 0),
  live: item?.live === undefined ? null : Number(item.live),
})

/** A sequence as the bookmark keeps it. */
export const sequenceText = ({ next, live }: Pick<LiveCount, 'next' | 'live'>): string => `${next}/${live ?? 0}`
