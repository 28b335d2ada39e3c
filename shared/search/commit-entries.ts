import type { Clock } from '../kernel/clock.ts'
import type { TenantRef } from '../kernel/tenancy.ts'
import { counterKey } from '../store/keys/search.ts'
import { TransactionRefused } from '../store/refusals.ts'
import type { Store, Write } from '../store/table.ts'
import { moveCounter } from './index-rows.ts'
import { manifestItem, manifestUnchanged } from './manifest.ts'
import type { EntryPlan } from './plan-entry.ts'

/** A planned entry and whose it is. */
export interface PlannedEntry {
  readonly model: string
  readonly id: number
  readonly plan: EntryPlan
}

/** DynamoDB's limit, manifests and counters together. */
const maxWrites = 100
/** More conflict more often on AWS, and gain nothing measurable here. */
const maxEntries = 25

/** Cuts entries into groups that fit one transaction each. */
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
 * Writes the manifests of a group and moves the counters they move, all in one transaction, each counter once. An entry
 * whose manifest somebody else wrote since is left out and the others go again; answers those left out.
 */
export async function commitEntries<E extends PlannedEntry>(
  { store, clock }: { store: Store; clock: Clock },
  tenant: TenantRef,
  group: readonly E[],
): Promise<E[]> {
  const overtaken: E[] = []
  let open = group
  while (open.length > 0) {
    try {
      await store.transact(
        tenant,
        [...open.map((entry) => manifestWrite(tenant, entry, clock.now())), ...counterWrites(tenant, open)],
        clock.uuid(),
      )
      return overtaken
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error
      // Not `commit`: which writes were refused decides what the next transaction holds.
      const { reasons } = error
      overtaken.push(...open.filter((_, index) => reasons[index]?.failed))
      open = open.filter((_, index) => !reasons[index]?.failed)
    }
  }
  return overtaken
}

const manifestWrite = (tenant: TenantRef, { model, id, plan }: PlannedEntry, nowMs: number): Write => ({
  put: manifestItem(tenant, model, id, plan.next, nowMs),
  if: manifestUnchanged(plan.before),
})

/** One write per counter, however many records move it. */
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
