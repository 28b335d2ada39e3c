import type { TenantRef } from '../../kernel/tenancy.ts'
import { activitiesPrefix, instanceRowsPartition } from '../../store/keys/processes.ts'
import type { Item } from '../../store/marshal.ts'
import { readPages } from '../../store/read-all.ts'
import type { Store } from '../../store/table.ts'
import { readActivities, type StoredActivity } from '../rows/activities-row.ts'
import type { InstanceAnswer } from '../schema.ts'

/** Steps that are read; a process that goes round for years has more. */
const maxSteps = 500
/** Bounds the answer: one step may tell many activities. */
const maxActivities = 10_000

type History = Pick<InstanceAnswer, 'history' | 'has_more_history'>

/** What happened in an instance: every activity, gateway and event that was reached, in that order, with what became of it. */
export async function readActivityHistory(
  store: Pick<Store, 'query'>,
  tenant: TenantRef,
  instanceId: number,
): Promise<History> {
  const steps: Item[] = []
  let hasMore = false
  const range = { pk: instanceRowsPartition(tenant, instanceId), prefix: activitiesPrefix, reverse: true }
  for await (const { items, last } of readPages(store, tenant, range, maxSteps)) {
    steps.push(...items)
    hasMore = last !== undefined
  }
  const activities = activitiesOf(steps.toReversed().flatMap(readActivities))
  return {
    history: activities.slice(-maxActivities),
    has_more_history: hasMore || activities.length > maxActivities,
  }
}

type Activity = History['history'][number]

/** Joins the events of each execution. One whose beginning was left out begins with the first that is known. */
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
