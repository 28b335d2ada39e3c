import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import { waitingTaskIdOf, waitOfRecordKey } from '../../../platform/store/keys/processes.ts'
import { readJson } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { CompletionRule } from '../../bpmn/shapes/compiled-process.ts'

/** A pending task that a change of its record may complete. One Query finds it with its rules (docs/decisions/0024). */
export interface RecordWait {
  readonly taskId: number
  readonly instanceId: number
  readonly executionId: string
  readonly elementId: string
  readonly rules: readonly CompletionRule[]
  /** The version of the record that the task found. */
  readonly seenVersion: number
}

/** The row of a wait, under its record. */
export const waitItem = (tenant: TenantRef, model: string, recordId: number, wait: RecordWait): Item & Key => ({
  ...waitOfRecordKey(tenant, model, recordId, wait.taskId),
  kind: 'process_wait',
  v: 1,
  instance_id: wait.instanceId,
  execution_id: wait.executionId,
  element_id: wait.elementId,
  rules: JSON.stringify(wait.rules),
  seen_version: wait.seenVersion,
})

export const readWait = (item: Item): RecordWait => ({
  taskId: waitingTaskIdOf(String(item.sk)),
  instanceId: Number(item.instance_id),
  executionId: String(item.execution_id),
  elementId: String(item.element_id),
  rules: readJson<CompletionRule[]>(item, 'rules'),
  seenVersion: Number(item.seen_version),
})
