import type { TenantRef } from '../../../kernel/tenancy.ts'
import {
  incidentsOfRecordPartition,
  operationsOfRecordPartition,
  stepsOfRecordPartition,
} from '../../../platform/store/keys/processes.ts'
import { newestRows } from '../../../platform/store/ranges/newest-rows.ts'
import { incidentOfRecordSlot, operationSlot, slotName, stepSlot } from '../../../platform/store/slots.ts'
import type { Store } from '../../../platform/store/store.ts'
import { readStep, type StoredStep } from '../rows/activities-row.ts'
import { type Incident, readIncident } from '../rows/incident-row.ts'
import { readRecordOperation, type RecordOperation } from '../rows/operation-row.ts'

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

/** What operators did to the instances about one record, in the same way. */
export async function operationsOfRecord(
  store: Reads,
  tenant: TenantRef,
  { model, id }: RecordRef,
  from: string | undefined,
  limit: number,
): Promise<{ readonly operations: readonly { sort: string; operation: RecordOperation }[]; readonly next?: string }> {
  const partition = { pk: operationsOfRecordPartition(tenant, model, id), index: slotName(operationSlot) }
  const { rows, ...rest } = await newestRows(store, tenant, partition, from, limit)
  return { operations: rows.map(({ sort, item }) => ({ sort, operation: readRecordOperation(item) })), ...rest }
}

/** The incidents of the instances about one record, in the same way. */
export async function incidentsOfRecord(
  store: Reads,
  tenant: TenantRef,
  { model, id }: RecordRef,
  from: string | undefined,
  limit: number,
): Promise<{ readonly incidents: readonly { sort: string; incident: Incident }[]; readonly next?: string }> {
  const partition = { pk: incidentsOfRecordPartition(tenant, model, id), index: slotName(incidentOfRecordSlot) }
  const { rows, ...rest } = await newestRows(store, tenant, partition, from, limit)
  return { incidents: rows.map(({ sort, item }) => ({ sort, incident: readIncident(item) })), ...rest }
}
