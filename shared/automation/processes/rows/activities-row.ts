import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { activitiesKey, stepSort, stepsOfRecordPartition } from '../../../platform/store/keys/processes.ts'
import { slotEntry, stepSlot } from '../../../platform/store/slots.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { packJson, readPackedJson } from '../../../platform/store/values/pack-json.ts'
import type { ActivityEvent } from '../../bpmn/schema.ts'
import type { DecisionOutcome } from './decision-outcome.ts'
import { type Instance, type InstanceStatus, noRecord } from './instance-row.ts'

/** What happened to one activity, gateway or event in a step. */
export interface StoredActivity {
  readonly element_id: string
  readonly name: string | null
  readonly type: string
  readonly execution_id: string
  readonly what: ActivityEvent['what']
  readonly at: string
  /** Of a task that ended. */
  readonly task_id?: number
}

/** One step of an instance. */
export interface StoredStep {
  readonly instanceId: number
  readonly templateId: number
  readonly code: string
  /** 0: nobody, it started by itself. */
  readonly startedBy: number
  /** From 1. */
  readonly step: number
  readonly at: string
  /** The status of the instance after the step. */
  readonly status: InstanceStatus
  readonly activities: readonly StoredActivity[]
  /** What its business rule tasks decided. */
  readonly decisions?: readonly DecisionOutcome[]
  /** Who has cancelled the instance with it; left out: nobody, or somebody before this was kept. */
  readonly cancelledBy?: number
  /** The step failed as a whole and is to be repeated. */
  readonly withdrawn?: true
}

export type SteppedInstance = Pick<
  Instance,
  'id' | 'steps' | 'templateId' | 'code' | 'model' | 'recordId' | 'startedBy'
>

/** Everything that happened in the next step of an instance, as one row. */
export const activitiesItem = (
  tenant: TenantRef,
  { id, steps, templateId, code, model, recordId, startedBy }: SteppedInstance,
  {
    at,
    status,
    activities,
    withdrawn,
    cancelledBy,
    decisions = [],
  }: Pick<StoredStep, 'at' | 'status' | 'activities' | 'withdrawn' | 'cancelledBy' | 'decisions'>,
): Item & Key => ({
  ...activitiesKey(tenant, id, steps + 1),
  kind: 'process_activities',
  v: 1,
  instance_id: id,
  template_id: templateId,
  code,
  started_by: startedBy,
  step: steps + 1,
  at,
  status,
  ...(withdrawn && { withdrawn }),
  ...(cancelledBy && { cancelled_by: cancelledBy }),
  events: packJson(activities),
  ...(decisions.length > 0 && { decisions: packJson(decisions) }),
  ...(recordId !== noRecord &&
    slotEntry(stepSlot, stepsOfRecordPartition(tenant, model, recordId), stepSort(at, id, steps + 1))),
})

export const readActivities = (item: Item): readonly StoredActivity[] =>
  readPackedJson<StoredActivity[]>(item, 'events') ?? []

/** What the business rule tasks of a step decided. */
export const readDecisions = (item: Item): readonly DecisionOutcome[] =>
  readPackedJson<DecisionOutcome[]>(item, 'decisions') ?? []

export const readStep = (item: Item): StoredStep => ({
  instanceId: Number(item.instance_id),
  templateId: Number(item.template_id),
  code: String(item.code),
  startedBy: Number(item.started_by),
  step: Number(item.step),
  at: String(item.at),
  status: item.status as InstanceStatus,
  activities: readActivities(item),
  decisions: readDecisions(item),
  ...(item.cancelled_by !== undefined && { cancelledBy: Number(item.cancelled_by) }),
})
