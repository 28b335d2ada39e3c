import { maxShownActivities, maxShownSteps } from '../../../kernel/limits/processes.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { activitiesPrefix, instanceRowsPartition } from '../../../platform/store/keys/processes.ts'
import { readPages } from '../../../platform/store/ranges/read-all.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { ListedOperation } from '../operations/list-operations.ts'
import { readStep, type StoredActivity } from '../rows/activities-row.ts'
import type { DecisionOutcome } from '../rows/decision-outcome.ts'
import type { OperationAction } from '../rows/operation-row.ts'
import type { InstanceAnswer } from '../schema.ts'
type Entry = InstanceAnswer['history'][number]
type Activity = Entry & { readonly element_id: string }

export interface ActivityHistory {
  readonly history: readonly Activity[]
  readonly has_more_history: boolean
  /** The step that each execution was first known in. */
  readonly firstSteps: ReadonlyMap<string, number>
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
  const firstSteps = new Map<string, number>()
  for (const { step, activities } of steps)
    for (const { execution_id: id } of activities) if (!firstSteps.has(id)) firstSteps.set(id, step)
  const activities = activitiesOf(steps.flatMap((step) => step.activities))
  return {
    history: activities.slice(-maxShownActivities),
    has_more_history: hasMore || activities.length > maxShownActivities,
    firstSteps,
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

/**
 * The history with what operators did in between: each operation follows what was entered before it. `operations`: newest
 * first. Those before the oldest entry of a shortened history are left out.
 */
export function interleaveOperations(
  {
    history,
    has_more_history: isShortened,
    firstSteps,
  }: Pick<ActivityHistory, 'history' | 'has_more_history' | 'firstSteps'>,
  operations: readonly ListedOperation[],
): Entry[] {
  const entries: Entry[] = []
  let next = 0
  for (const operation of operations.toReversed()) {
    const { steps, answer } = operation
    const isBefore = ({ execution_id: id, started_at: at }: Activity): boolean =>
      steps === undefined ? at <= answer.at : (firstSteps.get(id) ?? 0) <= steps
    for (let one = history[next]; one !== undefined && isBefore(one); one = history[next]) {
      entries.push(one)
      next += 1
    }
    if (next > 0 || !isShortened) entries.push(operationEntry(operation))
  }
  return [...entries, ...history.slice(next)]
}

const operationEntry = ({ id, answer }: ListedOperation): Entry => ({
  element_id: null,
  name: operationNames[answer.action],
  type: 'operation',
  execution_id: `operation.${id}`,
  status: 'completed',
  started_at: answer.at,
  ended_at: answer.at,
  operation: answer,
})

const operationNames: Readonly<Record<OperationAction, string>> = {
  set_variables: 'Variables changed',
  modify: 'Tokens moved',
  migrate: 'Migrated',
  suspend: 'Suspended',
  resume: 'Resumed',
  cancel: 'Cancelled',
  retry: 'Retried',
}
