import type { Clock } from '../kernel/clock.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { counterKey } from '../store/keys/search.ts'
import { TransactionRefused } from '../store/refusals.ts'
import type { Store, Write } from '../store/store.ts'
import { moveCounter } from './index-rows.ts'
import { manifestItem, manifestUnchanged } from './manifest.ts'
import type { EntryPlan } from './plan-entry.ts'

/** A planned change of the index entry of one record. */
export interface PlannedEntry {
  readonly model: string
  readonly id: number
  readonly plan: EntryPlan
}

/** DynamoDB's limit per transaction, for manifests and counters together. */
const maxWrites = 100
/** Larger transactions conflict more often and are not measurably faster. */
const maxEntries = 25

/** Splits entries into groups that fit into one transaction each. */
export function groupEntries<E extends PlannedEntry>(entries: readonly E[]): E[][] {
  const groups: E[][] = []
  let group: E[] = []
  let counters = new Set<string>()
  for (const entry of entries) {
    const moved = entry.plan.counters.map(
      ({ generation, field, value }) => `${entry.model}\n${field}\n${generation}\n${value}`,
    )
    const together = new Set([...counters, ...moved])
    if (group.length === maxEntries || group.length + 1 + together.size > maxWrites) {
      groups.push(group)
      group = []
      counters = new Set(moved)
    } else counters = together
    group.push(entry)
  }
  return group.length > 0 ? [...groups, group] : groups
}

/**
 * Writes the manifests of a group and changes its counters in one transaction, each counter once. Entries whose
 * manifest changed since it was read are left out and the others are retried. Answers the entries left out.
 */
export async function commitEntries<E extends PlannedEntry>(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  group: readonly E[],
): Promise<E[]> {
  const conflicted: E[] = []
  let open = group
  while (open.length > 0) {
    try {
      await store.transact(
        tenant,
        [...open.map((entry) => manifestWrite(tenant, entry, clock.now())), ...counterWrites(tenant, open)],
        clock.uuid(),
      )
      return conflicted
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error
      // Not `commit`: the next transaction depends on which writes were refused.
      const { reasons } = error
      conflicted.push(...open.filter((_, index) => reasons[index]?.failed))
      open = open.filter((_, index) => !reasons[index]?.failed)
    }
  }
  return conflicted
}

const manifestWrite = (tenant: TenantRef, { model, id, plan }: PlannedEntry, nowMs: number): Write => ({
  put: manifestItem(tenant, model, id, plan.next, nowMs),
  if: manifestUnchanged(plan.before),
})

/** One write per counter, however many records change it. */
function counterWrites(tenant: TenantRef, entries: readonly PlannedEntry[]): Write[] {
  const sums = new Map<string, { key: ReturnType<typeof counterKey>; by: number }>()
  for (const { model, plan } of entries) {
    for (const { generation, field, value, by } of plan.counters) {
      const key = counterKey(tenant, model, field, generation, value)
      const text = `${key.pk}\n${key.sk}`
      sums.set(text, { key, by: (sums.get(text)?.by ?? 0) + by })
    }
  }
  return [...sums.values()].filter(({ by }) => by !== 0).map(({ key, by }) => moveCounter(key, by))
}
