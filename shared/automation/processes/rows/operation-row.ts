import type { FieldErrors } from '../../../kernel/failures/faults.ts'
import type { PrincipalRef } from '../../../kernel/principal.ts'
import type { TenantRef } from '../../../kernel/tenancy.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import type { Key } from '../../../platform/store/keys/key.ts'
import {
  operationKey,
  operationsOfRecordPartition,
  operationSort,
  operationsPrefix,
} from '../../../platform/store/keys/processes.ts'
import { operationSlot, slotEntry } from '../../../platform/store/slots.ts'
import { readJson, readJsonOrNull } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import type { Mapping } from '../../bpmn/changes/migrate-state.ts'
import type { TokenChange } from '../../bpmn/changes/modify-tokens.ts'
import { type Instance, noRecord } from './instance-row.ts'

/** How an operator changes an instance. Commands contain it, so its members are a stored format. */
export type Operation =
  | {
      readonly action: 'set_variables'
      readonly set: Readonly<Record<string, unknown>>
      readonly remove: readonly string[]
    }
  | ({ readonly action: 'modify' } & TokenChange)
  | { readonly action: 'migrate'; readonly version: number; readonly mapping: Mapping }
  | { readonly action: 'suspend' }
  | { readonly action: 'resume' }

export const operationActions = ['set_variables', 'modify', 'migrate', 'suspend', 'resume', 'cancel', 'retry'] as const
export type OperationAction = (typeof operationActions)[number]

/** Why an operation was not carried out, as its request answers it. */
export type Refusal = { readonly errors: FieldErrors } | { readonly code: ConflictCode; readonly message: string }

export type ConflictCode =
  | 'instance_busy'
  | 'instance_ended'
  | 'instance_not_started'
  | 'instance_not_suspended'
  | 'instance_suspended'

/** What became of an operation. */
export interface OperationOutcome {
  readonly id: string
  readonly action: OperationAction
  readonly by: PrincipalRef
  readonly at: string
  /** What it changed. */
  readonly details: Readonly<Record<string, unknown>>
  /** It changed nothing. */
  readonly refusal?: Refusal
}

/** The instance to which something was done, as it was before. */
export type OperatedInstance = Pick<Instance, 'id' | 'templateId' | 'code' | 'model' | 'recordId'>

/** How long the row of an operation is kept that was refused: its request reads it at once. */
const refusedKeptSeconds = 3600

export const operationItem = (
  tenant: TenantRef,
  instance: OperatedInstance,
  { id, action, by, details, refusal }: Omit<OperationOutcome, 'at'>,
  nowMs: number,
): Item & Key => ({
  ...operationKey(tenant, instance.id, id),
  kind: 'process_operation',
  v: 1,
  action,
  by: JSON.stringify({ userId: by.userId, impersonatorId: by.impersonatorId }),
  at: isoTime(nowMs),
  details: JSON.stringify(details),
  refusal: refusal === undefined ? null : JSON.stringify(refusal),
  instance_id: instance.id,
  template_id: instance.templateId,
  code: instance.code,
  ...(refusal && { expires_at: Math.floor(nowMs / 1000) + refusedKeptSeconds }),
  ...(!refusal &&
    instance.recordId !== noRecord &&
    slotEntry(
      operationSlot,
      operationsOfRecordPartition(tenant, instance.model, instance.recordId),
      operationSort(isoTime(nowMs), instance.id, id),
    )),
})

/** An operation among those of all instances of a record. */
export interface RecordOperation extends OperationOutcome {
  readonly instanceId: number
  readonly templateId: number
  readonly code: string
}

export const readRecordOperation = (item: Item): RecordOperation => ({
  ...readOperation(item),
  instanceId: Number(item.instance_id),
  templateId: Number(item.template_id),
  code: String(item.code),
})

export function readOperation(item: Item): OperationOutcome {
  const refusal = readJsonOrNull<Refusal>(item, 'refusal')
  return {
    id: String(item.sk).slice(operationsPrefix.length),
    action: item.action as OperationAction,
    by: readJson<PrincipalRef>(item, 'by'),
    at: String(item.at),
    details: readJson<Record<string, unknown>>(item, 'details'),
    ...(refusal && { refusal }),
  }
}
