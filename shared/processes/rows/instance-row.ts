import type { TenantRef } from '../../kernel/tenancy.ts'
import { and, atRevision, below, equals, lacks, or } from '../../store/conditions.ts'
import { readJson, readJsonOrNull } from '../../store/json-attribute.ts'
import { idText, type Key } from '../../store/keys/key.ts'
import { instanceKey, instancesByStatusPartition, instancesOfTemplatePartition } from '../../store/keys/processes.ts'
import type { Item } from '../../store/marshal.ts'
import { gunzipJson, gzipJson } from '../../store/pack-json.ts'
import { instanceSlots, slotEntry } from '../../store/slots.ts'
import type { Condition } from '../../store/table.ts'
import type { EngineState } from '../engine/schema.ts'

export const instanceSequence = 'sys_process_instances'

export const instanceStatuses = ['running', 'completed', 'cancelled', 'incident'] as const
export type InstanceStatus = (typeof instanceStatuses)[number]

/** Something an instance waits for, and the row that stands for it. */
export type OpenWait =
  | { readonly kind: 'task'; readonly elementId: string; readonly executionId: string; readonly taskId: number }
  | { readonly kind: 'timer'; readonly elementId: string; readonly executionId: string; readonly dueAt: string }
  | { readonly kind: 'failed'; readonly elementId: string; readonly executionId: string; readonly incidentId: number }

/** The task that was completed last: `task` in conditions and scripts. */
export interface LastTask {
  readonly id: number
  readonly element_id: string
  readonly name: string | null
  readonly outcome: string | null
  readonly completed_by: number | null
}

/** A process instance as it stands in the store. */
export interface Instance {
  readonly id: number
  readonly templateId: number
  readonly templateVersion: number
  readonly code: string
  readonly model: string
  readonly recordId: number
  readonly status: InstanceStatus
  /** Rises with every step; a step is written on condition of it. */
  readonly rev: number
  /** Steps whose activities are told. */
  readonly steps: number
  /** undefined until the first step. */
  readonly state: EngineState | undefined
  readonly variables: Readonly<Record<string, unknown>>
  readonly waits: readonly OpenWait[]
  readonly lastTask: LastTask | null
  readonly startedBy: number
  readonly startedAt: string
  readonly endedAt: string | null
  /** `auto`, `api`, `script`. */
  readonly source: string
  /** Steps since somebody, or the time, last did anything: processes may drive each other in a circle. */
  readonly hops: number
  /** Incidents that are open because a step failed as a whole: its command waits for a retry. */
  readonly stepIncidents: readonly number[]
  /** Who works on it, and until when nobody else begins. */
  readonly lease?: { readonly holder: string; readonly untilMs: number }
}

/** A step's state beyond this stands in an object: the row must stay below 400 KB. */
const objectOverBytes = 300 * 1024

export interface InstanceRow {
  readonly item: Item & Key
  /** Put before the row is. */
  readonly object?: { readonly key: string; readonly body: Uint8Array }
}

/** The row of an instance. `writeId` makes a repeat of its write harmless. */
export function instanceRow(tenant: TenantRef, instance: Instance, writeId: string): InstanceRow {
  const isEmpty = instance.state === undefined && Object.keys(instance.variables).length === 0
  const packed = isEmpty ? undefined : gzipJson({ state: instance.state, variables: instance.variables })
  const isLarge = packed !== undefined && packed.length > objectOverBytes
  const key = `processes/${tenant.id}/${instance.id}/${instance.rev}.json.gz`
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
    write_id: writeId,
    ...slotEntry(instanceSlots.byStatus, instancesByStatusPartition(tenant, instance.status), idText(instance.id)),
    ...slotEntry(
      instanceSlots.ofTemplate,
      instancesOfTemplatePartition(tenant, instance.templateId),
      idText(instance.id),
    ),
  }
  return isLarge ? { item, object: { key, body: packed } } : { item }
}

/** Reads an instance with what its engine needs; `fetchObject` reads a state that stands beside the table. */
export async function readInstance(item: Item, fetchObject: (key: string) => Promise<Uint8Array>): Promise<Instance> {
  const packed =
    item.state_object === undefined
      ? (item.state as Uint8Array | undefined)
      : await fetchObject(String(item.state_object))
  const kept = packed && gunzipJson<Pick<Instance, 'state' | 'variables'>>(packed)
  return { ...readInstanceHead(item), state: kept?.state, variables: kept?.variables ?? {} }
}

/** An instance without the state of its engine. */
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
  ...(item.lease_until !== undefined && {
    lease: { holder: String(item.lease_holder), untilMs: Number(item.lease_until) },
  }),
})

export const hasEnded = ({ status }: Pick<Instance, 'status'>): boolean =>
  status === 'completed' || status === 'cancelled'

/** Nobody took a step since, and nobody else is at work on one. */
export const isUnchanged = (rev: number, holder: string, nowMs: number): Condition =>
  and(atRevision(rev), or(lacks('lease_until'), equals('lease_holder', holder), below('lease_until', nowMs)))
