import type { TenantRef } from '../../../kernel/tenancy.ts'
import { type Key, keyOfItem } from '../../../platform/store/keys/key.ts'
import {
  calledInstanceKey,
  instanceIdOf,
  instanceOfRecordKey,
  startTimerDueKey,
  startTimerKey,
} from '../../../platform/store/keys/processes.ts'
import { dueEntry } from '../../../platform/store/slots.ts'
import type { Condition } from '../../../platform/store/store.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { and, equals } from '../../../platform/store/writes/conditions.ts'
import type { Timing } from '../../bpmn/shapes/timing.ts'

/** The row under a record that refers to an instance about it. */
export const instanceOfRecordItem = (
  tenant: TenantRef,
  model: string,
  recordId: number,
  instanceId: number,
): Item & Key => ({
  ...instanceOfRecordKey(tenant, model, recordId, instanceId),
  kind: 'process_of_record',
  v: 1,
})

/** The id of that instance. */
export const readInstanceOfRecord = (item: Item): number => instanceIdOf(String(item.sk))

/** The row under an instance that refers to one that it has called. */
export const calledInstanceItem = (tenant: TenantRef, instanceId: number, calledId: number): Item & Key => ({
  ...calledInstanceKey(tenant, instanceId, calledId),
  kind: 'process_called',
  v: 1,
  called_id: calledId,
})

/** The id of that instance. */
export const readCalledInstance = ({ called_id }: Item): number => Number(called_id)

/** The guard row that lets only the first of equal starts make an instance. */
export const startItem = (key: Key, instanceId: number): Item & Key => ({
  ...key,
  kind: 'process_start',
  v: 1,
  instance_id: instanceId,
})

/** The id of the instance that the first start made. */
export const readStart = (item: Item): number => Number(item.instance_id)

/** The next start of an active template by one of its timers. It has all that a start needs. */
export interface StartTimer {
  readonly templateId: number
  readonly version: number
  readonly code: string
  readonly model: string
  readonly elementId: string
  /** Which of the triggers of its start event it is. */
  readonly index: number
  readonly timing: Timing
}

export const startTimerItem = (tenant: TenantRef, timer: StartTimer): Item & Key => ({
  ...startTimerKey(tenant, timer.templateId, timer.elementId, timer.index),
  kind: 'process_start_timer',
  v: 1,
  template_id: timer.templateId,
  template_version: timer.version,
  code: timer.code,
  model: timer.model,
  element_id: timer.elementId,
  trigger: timer.index,
  due_at: timer.timing.due,
  timing: JSON.stringify(timer.timing),
  ...dueEntry(startTimerDueKey(timer.timing.due, tenant, timer.templateId)),
})

export const readStartTimer = (item: Item): StartTimer & { readonly key: Key } => ({
  key: keyOfItem(item),
  templateId: Number(item.template_id),
  version: Number(item.template_version),
  code: String(item.code),
  model: String(item.model),
  elementId: String(item.element_id),
  index: Number(item.trigger),
  timing: readJson<Timing>(item, 'timing'),
})

/** The condition that it has neither fired nor been replaced since it was read. */
export const isStillDue = ({ version, timing }: StartTimer): Condition =>
  and(equals('due_at', timing.due), equals('template_version', version))
