import type { TenantRef } from '../../../kernel/tenancy.ts'
import { idText, type Key } from '../../../platform/store/keys/key.ts'
import {
  incidentKey,
  incidentOfRecordSort,
  incidentPartitionOf,
  incidentsOfInstancePartition,
  incidentsOfRecordPartition,
} from '../../../platform/store/keys/processes.ts'
import { incidentOfInstanceSlot, incidentOfRecordSlot, incidentSlot, slotEntry } from '../../../platform/store/slots.ts'
import type { Item } from '../../../platform/store/values/marshal.ts'

export const incidentSequence = 'sys_process_incidents'

export const incidentStatuses = ['open', 'resolved'] as const

/** Work of an instance, or a whole step, that failed and waits for a retry. */
export interface Incident {
  readonly id: number
  readonly instanceId: number
  readonly code: string
  readonly model: string
  readonly recordId: number
  /** The activity that failed; null: the step as a whole. */
  readonly elementId: string | null
  readonly message: string
  readonly status: (typeof incidentStatuses)[number]
  readonly createdAt: string
  readonly resolvedAt: string | null
}

export const incidentItem = (tenant: TenantRef, incident: Incident): Item & Key => ({
  ...incidentKey(tenant, incident.id),
  kind: 'process_incident',
  v: 1,
  instance_id: incident.instanceId,
  code: incident.code,
  model: incident.model,
  record_id: incident.recordId,
  element_id: incident.elementId,
  message: incident.message,
  status: incident.status,
  created_at: incident.createdAt,
  resolved_at: incident.resolvedAt,
  ...slotEntry(incidentSlot, incidentPartitionOf(tenant, incident.status, incident.id), idText(incident.id)),
  ...slotEntry(incidentOfInstanceSlot, incidentsOfInstancePartition(tenant, incident.instanceId), idText(incident.id)),
  ...slotEntry(
    incidentOfRecordSlot,
    incidentsOfRecordPartition(tenant, incident.model, incident.recordId),
    incidentOfRecordSort(incident.createdAt, incident.id),
  ),
})

export const readIncident = (item: Item): Incident => ({
  id: Number(item.sk),
  instanceId: Number(item.instance_id),
  code: String(item.code),
  model: String(item.model),
  recordId: Number(item.record_id),
  elementId: item.element_id as string | null,
  message: String(item.message),
  status: item.status as Incident['status'],
  createdAt: String(item.created_at),
  resolvedAt: item.resolved_at as string | null,
})
