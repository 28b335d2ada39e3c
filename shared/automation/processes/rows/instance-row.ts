import type { TenantRef } from '../../../kernel/tenancy.ts'
import { idText, type Key } from '../../../platform/store/keys/key.ts'
import { type InstanceGroup, instanceKey, instancePartitionOf } from '../../../platform/store/keys/processes.ts'
import { isFreeFor } from '../../../platform/store/lease.ts'
import { instanceSlots, slotEntry } from '../../../platform/store/slots.ts'
import type { Condition } from '../../../platform/store/store.ts'
import { readJson, readJsonOrNull } from '../../../platform/store/values/json-attribute.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'
import { gunzipJson, gzipJson } from '../../../platform/store/values/pack-json.ts'
import { and, atRevision } from '../../../platform/store/writes/conditions.ts'
import { upgradeState } from '../../bpmn/engine/stored-state.ts'
import type { CompletedTask, EngineState } from '../../bpmn/schema.ts'
import type { ProcessReads } from '../../bpmn/shapes/reads.ts'

export const instanceSequence = 'sys_process_instances'

/** The `recordId` of an instance that is about no record: a timer or a signal has started it. */
export const noRecord = 0
/** The id of a record in answers, and for scripts. */
export const recordIdOrNull = (recordId: number): number | null => (recordId === noRecord ? null : recordId)

export const instanceStatuses = ['running', 'completed', 'cancelled', 'incident', 'suspended'] as const
export type InstanceStatus = (typeof instanceStatuses)[number]

/** Something that an instance waits for, with what identifies its row. */
export type OpenWait =
  | { readonly kind: 'task'; readonly elementId: string; readonly executionId: string; readonly taskId: number }
  | { readonly kind: 'timer'; readonly elementId: string; readonly executionId: string; readonly dueAt: string }
  /**
   * `incidentRev`: the revision of the called instance that last told whether it has an incident. `escalations`: how many of
   * its escalations were carried out.
   */
  | {
      readonly kind: 'call'
      readonly elementId: string
      readonly executionId: string
      readonly instanceId: number
      readonly hasIncident?: true
      readonly incidentRev?: number
      readonly escalations?: number
    }
  | { readonly kind: 'failed'; readonly elementId: string; readonly executionId: string; readonly incidentId: number }
  | {
      readonly kind: 'event'
      readonly elementId: string
      readonly executionId: string
      readonly on: 'message' | 'signal' | 'conditional'
      readonly name?: string
      /** Undefined: the id of the record. */
      readonly key?: string
      readonly isMet?: true
    }

/** The last completed task. */
export type LastTask = CompletedTask

/** The call activity that has called an instance. */
export interface Caller {
  readonly instanceId: number
  readonly elementId: string
  readonly executionId: string
  /** How many calls are around the instance, from 1. */
  readonly depth: number
  /** Those of the step that called it. */
  readonly hops: number
  /** It is one pass of a multi-instance activity, of which there are so many as are known. */
  readonly isPass?: true
}

/** A process instance as it is stored. */
export interface Instance {
  readonly id: number
  readonly templateId: number
  readonly templateVersion: number
  readonly code: string
  readonly model: string
  readonly recordId: number
  readonly status: InstanceStatus
  /** Revision: every write raises it, on condition that it is the one that was read. */
  readonly rev: number
  /** The number of steps that stored activities. */
  readonly steps: number
  /** undefined until the first step. */
  readonly state: EngineState | undefined
  readonly variables: Readonly<Record<string, unknown>>
  readonly waits: readonly OpenWait[]
  readonly lastTask: LastTask | null
  readonly startedBy: number
  readonly startedAt: string
  readonly endedAt: string | null
  /** `auto`, `api`, `script`, `message`, `signal`, `timer`, `call`. */
  readonly source: string
  readonly caller?: Caller
  /** What went into values beside what its version says: into those of decisions, of other processes, of former versions. */
  readonly reads?: ProcessReads
  /** How many escalations its caller was told of. */
  readonly escalations?: number
  /** Steps since the last action of a user or a timer; limited, because processes may start each other in a circle. */
  readonly hops: number
  /** Open incidents of whole steps; their commands are suspended. */
  readonly stepIncidents: readonly number[]
  /** The worker that may advance it alone, until the lease expires. */
  readonly lease?: { readonly holder: string; readonly untilMs: number }
}

/** A larger state is stored as an object, because an item holds 400 KB. */
const objectOverBytes = 300 * 1024

export interface InstanceRow {
  readonly item: Item & Key
  /** To be stored before the row. */
  readonly object?: { readonly key: string; readonly body: Uint8Array }
}

/** The row of an instance. By `writeId` a repeated write recognizes its own row. */
export function instanceRow(tenant: TenantRef, instance: Instance, writeId: string): InstanceRow {
  const isEmpty = instance.state === undefined && Object.keys(instance.variables).length === 0
  const packed = isEmpty ? undefined : gzipJson({ state: instance.state, variables: instance.variables })
  const isLarge = packed !== undefined && packed.length > objectOverBytes
  const key = `processes/${tenant.id}/${instance.id}/${instance.rev}.json.gz`
  const entryIn = (slot: number, group: InstanceGroup) =>
    slotEntry(slot, instancePartitionOf(tenant, group, instance.id), idText(instance.id))
  const item: Item & Key = {
    ...instanceKey(tenant, instance.id),
    kind: 'process_instance',
    v: 1,
    template_id: instance.templateId,
    template_version: instance.templateVersion,
    code: instance.code,
    model: instance.model,
    record_id: instance.recordId,
    status: instance.status,
    rev: instance.rev,
    steps: instance.steps,
    ...(isLarge ? { state_object: key } : { state: packed }),
    waits: JSON.stringify(instance.waits),
    last_task: instance.lastTask && JSON.stringify(instance.lastTask),
    started_by: instance.startedBy,
    started_at: instance.startedAt,
    ended_at: instance.endedAt,
    source: instance.source,
    hops: instance.hops,
    step_incidents: JSON.stringify(instance.stepIncidents),
    ...(instance.caller && { caller: JSON.stringify(instance.caller) }),
    ...(instance.reads && { reads: gzipJson(instance.reads) }),
    ...(instance.escalations !== undefined && { escalations: instance.escalations }),
    write_id: writeId,
    ...entryIn(instanceSlots.byStatus, { status: instance.status }),
    ...entryIn(instanceSlots.ofTemplate, { templateId: instance.templateId }),
  }
  return isLarge ? { item, object: { key, body: packed } } : { item }
}

/** Reads an instance with the state of its engine; `fetchObject` fetches a state that is stored as an object. */
export async function readInstance(item: Item, fetchObject: (key: string) => Promise<Uint8Array>): Promise<Instance> {
  const packed =
    item.state_object === undefined
      ? (item.state as Uint8Array | undefined)
      : await fetchObject(String(item.state_object))
  const kept = packed && gunzipJson<Pick<Instance, 'state' | 'variables'>>(packed)
  const head = readInstanceHead(item)
  return { ...head, state: upgradeState(kept?.state, head.lastTask), variables: kept?.variables ?? {} }
}

/** The attributes that `readInstanceHead` reads, without the engine's state, which is large. */
export const headAttributes = [
  'pk',
  'sk',
  'template_id',
  'template_version',
  'code',
  'model',
  'record_id',
  'status',
  'rev',
  'steps',
  'waits',
  'last_task',
  'started_by',
  'started_at',
  'ended_at',
  'source',
  'hops',
  'step_incidents',
  'caller',
  'reads',
  'escalations',
]

/** Reads an instance without the state of its engine and its variables. */
export const readInstanceHead = (item: Item): Instance => ({
  id: Number(item.sk),
  templateId: Number(item.template_id),
  templateVersion: Number(item.template_version),
  code: String(item.code),
  model: String(item.model),
  recordId: Number(item.record_id),
  status: item.status as InstanceStatus,
  rev: Number(item.rev),
  steps: Number(item.steps),
  state: undefined,
  variables: {},
  waits: readJson<OpenWait[]>(item, 'waits'),
  lastTask: readJsonOrNull<LastTask>(item, 'last_task'),
  startedBy: Number(item.started_by),
  startedAt: String(item.started_at),
  endedAt: item.ended_at as string | null,
  source: String(item.source),
  hops: Number(item.hops),
  stepIncidents: readJson<number[]>(item, 'step_incidents'),
  ...(item.caller !== undefined && { caller: readJson<Caller>(item, 'caller') }),
  ...(item.reads !== undefined && { reads: gunzipJson<ProcessReads>(item.reads as Uint8Array) }),
  ...(item.escalations !== undefined && { escalations: Number(item.escalations) }),
  ...(item.lease_until !== undefined && {
    lease: { holder: String(item.lease_holder), untilMs: Number(item.lease_until) },
  }),
})

/** Whether the instance was completed or cancelled. */
export const hasEnded = ({ status }: Pick<Instance, 'status'>): boolean =>
  status === 'completed' || status === 'cancelled'

/** Whether something of an instance, or of what it calls, has failed and waits for a retry. */
export const hasIncident = ({ stepIncidents, waits }: Pick<Instance, 'stepIncidents' | 'waits'>): boolean =>
  stepIncidents.length > 0 ||
  waits.some((wait) => wait.kind === 'failed' || (wait.kind === 'call' && wait.hasIncident === true))

/** The status of an instance that has not ended and is not suspended. */
export const openStatusOf = (instance: Pick<Instance, 'stepIncidents' | 'waits'>): 'running' | 'incident' =>
  hasIncident(instance) ? 'incident' : 'running'

/** The condition that no step was stored since revision `rev`, and that no other worker holds a lease. */
export const isUnchanged = (rev: number, holder: string, nowMs: number): Condition =>
  and(atRevision(rev), isFreeFor(holder, nowMs))
