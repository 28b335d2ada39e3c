import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Page } from '../../../platform/http/routing/envelope.ts'
import { listRows } from '../../../platform/listing/list-rows.ts'
import { incidentKey, incidentPartitions } from '../../../platform/store/keys/processes.ts'
import { incidentSlot, slotName } from '../../../platform/store/slots.ts'
import type { ProcessDependencies } from '../dependencies.ts'
import { incidentSequence, incidentStatuses, readIncident } from '../rows/incident-row.ts'
import type { IncidentAnswer, IncidentQuery } from '../schema.ts'
import { describeIncident } from './describe-incident.ts'

/** Lists the incidents of a tenant, newest first. */
export async function listIncidents(
  { store }: Pick<ProcessDependencies, 'store'>,
  tenant: TenantRef,
  query: IncidentQuery,
): Promise<Page<IncidentAnswer>> {
  const { status, model } = query
  const statuses = status === undefined ? incidentStatuses : [status]
  return listRows(
    store,
    tenant,
    {
      name: 'incidents',
      sources: statuses
        .flatMap((one) => incidentPartitions(tenant, one))
        .map((pk) => ({ pk, index: slotName(incidentSlot) })),
      sequence: status === undefined ? incidentSequence : undefined,
      keyOf: (id) => incidentKey(tenant, id),
      read: readIncident,
      textsOf: (one) => [one.code, one.model, one.elementId, one.message],
      keep: (rows) =>
        rows.filter(
          (one) => (model === undefined || one.model === model) && (status === undefined || one.status === status),
        ),
      isCountable: model === undefined,
    },
    (rows) => rows.map(describeIncident),
    query,
  )
}
