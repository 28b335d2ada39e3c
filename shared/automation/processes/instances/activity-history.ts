import { maxShownActivities, maxShownSteps } from '../../../kernel/limits/processes.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { activitiesPrefix, instanceRowsPartition } from '../../../platform/store/keys/processes.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { readActivities, type StoredActivity } from '../rows/activities-row.ts'
import type { InstanceAnswer } from '../schema.ts'

type History = Pick<InstanceAnswer, 'history' | 'has_more_history'>

/** The activities, gateways and events that an instance reached, oldest first, with their status. */
export async function readActivityHistory(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  instanceId: number,
): Promise<History> {
  const steps: Item[] = []
  let hasMore = false
  const range = { pk: instanceRowsPartition(tenant, instanceId), prefix: activitiesPrefix, reverse: true }
  for await (const { items, last } of readPages(store, tenant, range, maxShownSteps)) {
    steps.push(...items)
    hasMore = last !== undefined
  }
  const activities = activitiesOf(steps.toReversed().flatMap(readActivities))
  return {
    history: activities.slice(-maxShownActivities),
    has_more_history: hasMore || activities.length > maxShownActivities,
  }
}

type Activity = History['history'][number]

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
