import type { TenantRef } from '../../../kernel/tenancy.ts'
import { incidentsOfRecordPartition, stepsOfRecordPartition } from '../../../platform/store/keys/processes.ts'
import { newestRows } from '../../../platform/store/ranges/newest-rows.ts'
import { incidentOfRecordSlot, slotName, stepSlot } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readStep, type StoredStep } from '../rows/activities-row.ts'
import { readIncident } from '../rows/incident-row.ts'
import type { IncidentAnswer } from '../schema.ts'
import { describeIncident } from './describe-incident.ts'

type Reads = Pick<Store, 'query' | 'getMany'>
interface RecordRef {
  readonly model: string
  readonly id: number
}

/** The steps of the instances about one record, newest first, each with its sort key, from that of `from` on. */
export async function stepsOfRecord(
  store: Reads,
  tenant: TenantRef,
  { model, id }: RecordRef,
  from: string | undefined,
  limit: number,
): Promise<{ readonly steps: readonly { sort: string; step: StoredStep }[]; readonly next?: string }> {
  const partition = { pk: stepsOfRecordPartition(tenant, model, id), index: slotName(stepSlot) }
  const { rows, ...rest } = await newestRows(store, tenant, partition, from, limit)
  return { steps: rows.map(({ sort, item }) => ({ sort, step: readStep(item) })), ...rest }
}

/** The incidents of the instances about one record, in the same way. */
export async function incidentsOfRecord(
  store: Reads,
  tenant: TenantRef,
  { model, id }: RecordRef,
  from: string | undefined,
  limit: number,
): Promise<{ readonly incidents: readonly { sort: string; incident: IncidentAnswer }[]; readonly next?: string }> {
  const partition = { pk: incidentsOfRecordPartition(tenant, model, id), index: slotName(incidentOfRecordSlot) }
  const { rows, ...rest } = await newestRows(store, tenant, partition, from, limit)
  return {
    incidents: rows.map(({ sort, item }) => ({ sort, incident: describeIncident(readIncident(item)) })),
    ...rest,
  }
}
