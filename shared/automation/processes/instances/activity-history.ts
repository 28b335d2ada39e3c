import { maxShownActivities, maxShownSteps } from '../../../kernel/limits/processes.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { activitiesPrefix, instanceRowsPartition } from '../../../platform/store/keys/processes.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { readStep, type StoredActivity } from '../rows/activities-row.ts'
import type { DecisionOutcome } from '../rows/decision-outcome.ts'
import type { InstanceAnswer } from '../schema.ts'

type Activity = InstanceAnswer['history'][number]

export interface ActivityHistory {
  readonly history: readonly Activity[]
  readonly has_more_history: boolean
  /** What the executions of business rule tasks decided. */
  readonly decisions: ReadonlyMap<string, DecisionOutcome>
}

/** The activities, gateways and events that an instance reached, oldest first, with their status. */
export async function readActivityHistory(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  instanceId: number,
): Promise<ActivityHistory> {
  const items: Item[] = []
  let hasMore = false
  const range = { pk: instanceRowsPartition(tenant, instanceId), prefix: activitiesPrefix, reverse: true }
  for await (const { items: page, last } of readPages(store, tenant, range, maxShownSteps)) {
    items.push(...page)
    hasMore = last !== undefined
  }
  const steps = items.toReversed().map(readStep)
  const activities = activitiesOf(steps.flatMap((step) => step.activities))
  return {
    history: activities.slice(-maxShownActivities),
    has_more_history: hasMore || activities.length > maxShownActivities,
    decisions: new Map(steps.flatMap(({ decisions = [] }) => decisions.map((one) => [one.execution_id, one] as const))),
  }
}

/** Combines the events of each execution. When its start was not read, its first known event counts as the start. */
export function activitiesOf(events: readonly StoredActivity[]): Activity[] {
  const known = new Map<string, Activity>()
  for (const { element_id, name, type, execution_id, what, at } of events) {
    const { started_at = at } = known.get(execution_id) ?? {}
    const hasEnded = what === 'completed' || what === 'cancelled'
    known.set(execution_id, {
      element_id,
      name,
      type,
      execution_id,
      status: what === 'entered' ? 'active' : what,
      started_at,
      ended_at: hasEnded ? at : null,
    })
  }
  return [...known.values()]
}
