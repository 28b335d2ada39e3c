import type { TenantRef } from '../../kernel/tenancy.ts'
import type { Key } from '../../store/keys/key.ts'
import { activitiesKey } from '../../store/keys/processes.ts'
import type { Item } from '../../store/marshal.ts'
import { packJson, readPackedJson } from '../../store/pack-json.ts'
import type { ActivityEvent } from '../engine/schema.ts'

/** What happened to one activity, gateway or event in a step. */
export interface StoredActivity {
  readonly element_id: string
  readonly name: string | null
  readonly type: string
  readonly execution_id: string
  readonly what: ActivityEvent['what']
  readonly at: string
}

/** Everything that happened in one step, as one row. */
export const activitiesItem = (
  tenant: TenantRef,
  instanceId: number,
  step: number,
  activities: readonly StoredActivity[],
): Item & Key => ({
  ...activitiesKey(tenant, instanceId, step),
  kind: 'process_activities',
  v: 1,
  events: packJson(activities),
})

export const readActivities = (item: Item): readonly StoredActivity[] =>
  readPackedJson<StoredActivity[]>(item, 'events') ?? []
